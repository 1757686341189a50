; Inno Setup: installs the folder made by `packaging/build.py windows` for the current user.
; Values set by /D: Version, Frozen (the folder), Made (the folder of associations.iss and anaphora.ico), Out, Licence.

[Setup]
AppId={{6B1B2A1E-6D0C-4C39-9B7E-6B0F5D3C0A44}
AppName=Anaphora
AppVersion={#Version}
AppVerName=Anaphora {#Version}
AppPublisher=The Anaphora contributors
DefaultDirName={autopf}\Anaphora
DefaultGroupName=Anaphora
DisableProgramGroupPage=yes
; Without administrator rights, {autopf} is the user's folder of programs, and HKA the user's registry.
PrivilegesRequired=lowest
PrivilegesRequiredOverridesAllowed=dialog
ArchitecturesAllowed=x64compatible
ArchitecturesInstallIn64BitMode=x64compatible
; torch and Qt need this version of Windows.
MinVersion=10.0.17763
ChangesAssociations=yes
; An open window is closed, and saves the text in its editor.
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
; Remove the files of the earlier version. Projects and settings are in other folders and stay.
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
