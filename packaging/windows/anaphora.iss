; Inno Setup: installs the folder that `packaging/build.py windows` has made, for the user who starts it.
; Given by /D: Version, Frozen (the folder), Made (where associations.iss and anaphora.ico lie), Out, Licence.

[Setup]
AppId={{6B1B2A1E-6D0C-4C39-9B7E-6B0F5D3C0A44}
AppName=Anaphora
AppVersion={#Version}
AppVerName=Anaphora {#Version}
AppPublisher=The Anaphora contributors
DefaultDirName={autopf}\Anaphora
DefaultGroupName=Anaphora
DisableProgramGroupPage=yes
; No administrator: {autopf} is the user's own folder of programs, HKA the user's own registry.
PrivilegesRequired=lowest
PrivilegesRequiredOverridesAllowed=dialog
ArchitecturesAllowed=x64compatible
ArchitecturesInstallIn64BitMode=x64compatible
; torch and Qt need it.
MinVersion=10.0.17763
ChangesAssociations=yes
; An open window is asked to end, and saves what is typed.
CloseApplications=yes
RestartApplications=no
LicenseFile={#Licence}
SetupIconFile={#Made}\anaphora.ico
UninstallDisplayIcon={app}\anaphora.exe
OutputDir={#Made}
OutputBaseFilename={#Out}
Compression=lzma2/normal
SolidCompression=yes
WizardStyle=modern

[Languages]
Name: "en"; MessagesFile: "compiler:Default.isl"

[Tasks]
Name: "desktopicon"; Description: "{cm:CreateDesktopIcon}"; Flags: unchecked

[InstallDelete]
; What the version before had and this one has not. Projects and settings lie elsewhere and stay.
Type: filesandordirs; Name: "{app}\_internal"

[Files]
Source: "{#Frozen}\*"; DestDir: "{app}"; Flags: ignoreversion recursesubdirs createallsubdirs

[Icons]
Name: "{group}\Anaphora"; Filename: "{app}\anaphora.exe"
Name: "{autodesktop}\Anaphora"; Filename: "{app}\anaphora.exe"; Tasks: desktopicon

[Registry]
Root: HKA; Subkey: "Software\Classes\Applications\anaphora.exe"; ValueType: string; ValueName: "FriendlyAppName"; ValueData: "Anaphora"; Flags: uninsdeletekey
Root: HKA; Subkey: "Software\Classes\Applications\anaphora.exe\shell\open\command"; ValueType: string; ValueData: """{app}\anaphora.exe"" ""%1"""
#include Made + "\associations.iss"

[Run]
Filename: "{app}\anaphora.exe"; Description: "{cm:LaunchProgram,Anaphora}"; Flags: nowait postinstall skipifsilent
