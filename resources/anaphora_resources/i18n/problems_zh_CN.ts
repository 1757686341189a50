<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<!-- The errors of the app (core/errors.py) and the places of texts: lupdate does not find these, a test does. -->
<TS version="2.1" language="zh_CN">
<context>
    <name>Problems</name>
    <message>
        <source>This is not a TBX file: its root element is “{name}”.</source>
        <translation>这不是 TBX 文件：根元素是“{name}”。</translation>
    </message>
    <message>
        <source>“{path}” is on a disk without file locks, so you cannot edit projects there.</source>
        <translation>“{path}”所在的磁盘不支持文件锁定，因此不能在那里编辑项目。</translation>
    </message>
    <message>
        <source>Copy the project to this computer.</source>
        <translation>请将项目复制到本机。</translation>
    </message>
    <message>
        <source>The file with the run's progress, “{name}”, cannot be read: {reason}.</source>
        <translation>无法读取记录翻译进度的文件“{name}”：{reason}。</translation>
    </message>
    <message>
        <source>The regular expression “{text}” takes too long.</source>
        <translation>正则表达式“{text}”耗时过长。</translation>
    </message>
    <message>
        <source>To match one of these characters literally, put a backslash before it: \{ \[ \( \. \* \?</source>
        <translation>要匹配这些字符本身，请在前面加反斜杠：\{ \[ \( \. \* \?</translation>
    </message>
    <message>
        <source>The regular expression “{pattern}” is not valid: {error}.</source>
        <translation>正则表达式“{pattern}”无效：{error}。</translation>
    </message>
    <message>
        <source>Split it into several expressions.</source>
        <translation>请将其拆分成几个正则表达式。</translation>
    </message>
    <message>
        <source>The regular expression is longer than {limit} characters.</source>
        <translation>正则表达式超过 {limit} 个字符。</translation>
    </message>
    <message>
        <source>Simplify it, and avoid nested repetition.</source>
        <translation>请简化，并避免嵌套重复。</translation>
    </message>
    <message>
        <source>The regular expression “{pattern}” takes too long.</source>
        <translation>正则表达式“{pattern}”处理这段文本耗时过长。</translation>
    </message>
    <message>
        <source>Remove some of them.</source>
        <translation>请删去一些。</translation>
    </message>
    <message>
        <source>There are more than {limit} regular expressions.</source>
        <translation>正则表达式超过 {limit} 个。</translation>
    </message>
    <message>
        <source>Nothing was changed. Choose settings that still include the text of these segments.</source>
        <translation>未作任何更改。请选择仍包含这些句段的设置。</translation>
    </message>
    <message>
        <source>Translated segments that would be lost: {count}.</source>
        <translation>采用此设置会丢失 {count} 个已译句段。</translation>
    </message>
    <message>
        <source>This project and its model have different languages.</source>
        <translation>此项目的语言与所用模型的语言不同。</translation>
    </message>
    <message>
        <source>Choose a model for these languages in Translate ▸ Models….</source>
        <translation>请在“翻译 ▸ 模型…”中选择适合这些语言的模型。</translation>
    </message>
    <message>
        <source>The project file “{name}” is damaged.</source>
        <translation>项目文件“{name}”已损坏。</translation>
    </message>
    <message>
        <source>Close the project and open it again. Anaphora restores its last backup and all changes that can still be read.</source>
        <translation>请关闭项目并重新打开。Anaphora 会恢复最近的备份以及仍可读取的所有更改。</translation>
    </message>
    <message>
        <source>The file has more than {limit} tags and texts.</source>
        <translation>文件中的标签和文本超过 {limit} 个。</translation>
    </message>
    <message>
        <source>The file has more than {limit} sentences.</source>
        <translation>文件中的句子超过 {limit} 个。</translation>
    </message>
    <message>
        <source>The workbook has more than {limit} formulas.</source>
        <translation>工作簿中的公式超过 {limit} 个。</translation>
    </message>
    <message>
        <source>A row in the sheet has more than {limit} cells.</source>
        <translation>工作表中有一行的单元格超过 {limit} 个。</translation>
    </message>
    <message>
        <source>A paragraph in the file has more than {limit} tags.</source>
        <translation>文件中有一段的标签超过 {limit} 个。</translation>
    </message>
    <message>
        <source>A message in the file has more than {limit} lines.</source>
        <translation>文件中有一条消息的行数超过 {limit}。</translation>
    </message>
    <message>
        <source>A subtitle in the file has more than {limit} lines.</source>
        <translation>文件中有一条字幕的行数超过 {limit}。</translation>
    </message>
    <message>
        <source>A tag in the file has more than {limit} attributes.</source>
        <translation>文件中有一个标签的属性超过 {limit} 个。</translation>
    </message>
    <message>
        <source>The search text is empty.</source>
        <translation>查找内容为空。</translation>
    </message>
    <message>
        <source>Type the text to find.</source>
        <translation>请输入要查找的内容。</translation>
    </message>
    <message>
        <source>Correct it, or turn off regular expressions to search for the exact text.</source>
        <translation>请修正正则表达式，或关闭“正则表达式”以按原样查找。</translation>
    </message>
    <message>
        <source>Use only groups that exist in the regular expression.</source>
        <translation>请只引用正则表达式中已有的分组。</translation>
    </message>
    <message>
        <source>“{text}” is not a valid regular expression: {error}.</source>
        <translation>“{text}”不是有效的正则表达式：{error}。</translation>
    </message>
    <message>
        <source>The replacement “{replacement}” does not fit the regular expression: {error}.</source>
        <translation>替换文本“{replacement}”与正则表达式不符：{error}。</translation>
    </message>
    <message>
        <source>This file has no [Events] section.</source>
        <translation>此文件中没有 [Events] 部分。</translation>
    </message>
    <message>
        <source>Check that it is a Substation Alpha file. Other subtitle formats use other extensions.</source>
        <translation>请确认这是 Substation Alpha 字幕文件；其他字幕格式的扩展名不同。</translation>
    </message>
    <message>
        <source>Word document</source>
        <translation>Word 文档</translation>
    </message>
    <message>
        <source>The encoding could not be recognised. The file may be damaged or not a text file.</source>
        <translation>无法识别编码。文件可能已损坏，或者不是文本文件。</translation>
    </message>
    <message>
        <source>Save it as UTF-8 in a text editor and open it again.</source>
        <translation>请在文本编辑器中将其另存为 UTF-8，然后重新打开。</translation>
    </message>
    <message>
        <source>This file contains binary data, not text.</source>
        <translation>此文件包含二进制数据，不是文本。</translation>
    </message>
    <message>
        <source>Check that this is the right file and that its extension is correct.</source>
        <translation>请确认选对了文件且扩展名正确。</translation>
    </message>
    <message>
        <source>The file may be damaged or incomplete. Get a new copy, or repair it in a text editor.</source>
        <translation>文件可能已损坏或不完整，请重新获取一份，或在文本编辑器中修复。</translation>
    </message>
    <message>
        <source>The file is not valid in its declared encoding, {encoding}.</source>
        <translation>文件声明的编码是 {encoding}，但其中有不符合该编码的字节。</translation>
    </message>
    <message>
        <source>The book is copy-protected (DRM), so its text cannot be read.</source>
        <translation>这本电子书受版权保护（DRM），无法读取其文本。</translation>
    </message>
    <message>
        <source>Ask the publisher or author for an unprotected copy.</source>
        <translation>请向出版方或作者索取未加保护的版本。</translation>
    </message>
    <message>
        <source>The file is a ZIP archive, but not an EPUB book.</source>
        <translation>此文件是 ZIP 压缩包，但不是 EPUB 电子书。</translation>
    </message>
    <message>
        <source>Open it in another program.</source>
        <translation>请用其他程序打开。</translation>
    </message>
    <message>
        <source>The book's .opf file is missing.</source>
        <translation>电子书缺少 .opf 文件。</translation>
    </message>
    <message>
        <source>The file is damaged. Get a new copy.</source>
        <translation>文件已损坏，请重新获取一份。</translation>
    </message>
    <message>
        <source>“{name}” has no text to translate in these columns.</source>
        <translation>“{name}”的这些列中没有要翻译的文字。</translation>
    </message>
    <message>
        <source>Columns are numbered from 1. The first row contains column names.</source>
        <translation>列从 1 开始编号；第一行是列名。</translation>
    </message>
    <message>
        <source>“{destination}” could not be written: {reason}.</source>
        <translation>无法写入“{destination}”：{reason}。</translation>
    </message>
    <message>
        <source>The project was probably made with another version of Anaphora. Export it with that version.</source>
        <translation>此项目可能由其他版本的 Anaphora 创建，请用该版本导出。</translation>
    </message>
    <message>
        <source>Translated segments that were not found in the original: {count}.</source>
        <translation>有 {count} 个已译句段在原文档中找不到对应位置。</translation>
    </message>
    <message>
        <source>Split it into smaller documents.</source>
        <translation>请将其拆分为较小的文档。</translation>
    </message>
    <message>
        <source>The file has more than {limit} lines and Markdown marks.</source>
        <translation>文件的行数与 Markdown 符号数合计超过 {limit}。</translation>
    </message>
    <message>
        <source>Save it in LibreOffice and open it again.</source>
        <translation>请在 LibreOffice 中重新保存，然后再打开。</translation>
    </message>
    <message>
        <source>The file is a ZIP archive, but not an OpenDocument text.</source>
        <translation>此文件是 ZIP 压缩包，但不是 OpenDocument 文本文档。</translation>
    </message>
    <message>
        <source>The document is protected by a password.</source>
        <translation>此文档受密码保护。</translation>
    </message>
    <message>
        <source>Save it without a password first.</source>
        <translation>请先取消密码并保存。</translation>
    </message>
    <message>
        <source>The part “{name}” of the file has an unusual structure.</source>
        <translation>文件中的“{name}”部分结构异常。</translation>
    </message>
    <message>
        <source>This is not a valid {program}: the file is another kind of ZIP archive.</source>
        <translation>这不是有效的 {program}：文件是其他类型的 ZIP 压缩包。</translation>
    </message>
    <message>
        <source>The file is an old .doc, .xls or .ppt document, or is protected by a password.</source>
        <translation>此文件是旧版 .doc、.xls 或 .ppt 文档，或受密码保护。</translation>
    </message>
    <message>
        <source>Open it in the program that made it and save it as .docx, .xlsx or .pptx without a password.</source>
        <translation>请用相应的程序打开，取消密码并另存为 .docx、.xlsx 或 .pptx。</translation>
    </message>
    <message>
        <source>The ZIP archive would be too large when unpacked.</source>
        <translation>此 ZIP 压缩包解压后会过大。</translation>
    </message>
    <message>
        <source>It may be harmful. If you trust the sender, save it again in the program that made it.</source>
        <translation>文件可能有害。如果信任发送者，请用创建它的程序重新保存。</translation>
    </message>
    <message>
        <source>The ZIP archive has a password.</source>
        <translation>此 ZIP 压缩包受密码保护。</translation>
    </message>
    <message>
        <source>Split the document into smaller ones.</source>
        <translation>请将文档拆分为较小的文档。</translation>
    </message>
    <message>
        <source>The file is not a complete ZIP archive.</source>
        <translation>此文件不是完整的 ZIP 压缩包。</translation>
    </message>
    <message>
        <source>The file may be damaged or incomplete. Get a new copy, or repair it in a word processor.</source>
        <translation>文件可能已损坏或不完整，请重新获取一份，或用文字处理软件修复。</translation>
    </message>
    <message>
        <source>The part “{name}” of the ZIP archive is too large.</source>
        <translation>ZIP 压缩包中的“{name}”部分过大。</translation>
    </message>
    <message>
        <source>The part “{name}” of the ZIP archive is missing.</source>
        <translation>ZIP 压缩包缺少“{name}”部分。</translation>
    </message>
    <message>
        <source>The part “{name}” of the ZIP archive is damaged.</source>
        <translation>ZIP 压缩包中的“{name}”部分已损坏。</translation>
    </message>
    <message>
        <source>The file is damaged or in another format. Check it with msgfmt.</source>
        <translation>文件已损坏或为其他格式，请用 msgfmt 检查。</translation>
    </message>
    <message>
        <source>Line {number} is not valid in a PO file: “{text}”.</source>
        <translation>第 {number} 行不符合 PO 文件格式：“{text}”。</translation>
    </message>
    <message>
        <source>The catalogue is damaged or incomplete. Check it with msgfmt.</source>
        <translation>消息目录已损坏或不完整，请用 msgfmt 检查。</translation>
    </message>
    <message>
        <source>The message on line {line} has no msgstr.</source>
        <translation>第 {line} 行的消息没有 msgstr。</translation>
    </message>
    <message>
        <source>PowerPoint presentation</source>
        <translation>PowerPoint 演示文稿</translation>
    </message>
    <message>
        <source>Open it with a newer version of Anaphora.</source>
        <translation>请用较新版本的 Anaphora 打开。</translation>
    </message>
    <message>
        <source>Choose a document in the folder.</source>
        <translation>请选择文件夹中的一个文档。</translation>
    </message>
    <message>
        <source>Choose a document.</source>
        <translation>请选择一个文档。</translation>
    </message>
    <message>
        <source>It may have been moved or renamed.</source>
        <translation>文件可能已移动或重命名。</translation>
    </message>
    <message>
        <source>Ask its owner for permission to read it.</source>
        <translation>请向文件所有者申请读取权限。</translation>
    </message>
    <message>
        <source>Check the drive or the network.</source>
        <translation>请检查驱动器或网络。</translation>
    </message>
    <message>
        <source>“{name}” cannot be opened: Anaphora does not support files of this type.</source>
        <translation>无法打开“{name}”：Anaphora 不支持这种类型的文件。</translation>
    </message>
    <message>
        <source>Save it in one of these formats: {names}.</source>
        <translation>请将其另存为以下格式之一：{names}。</translation>
    </message>
    <message>
        <source>This project contains a document of the unknown format “{format_name}”.</source>
        <translation>此项目中有未知格式“{format_name}”的文档。</translation>
    </message>
    <message>
        <source>“{path}” is a folder.</source>
        <translation>“{path}”是文件夹。</translation>
    </message>
    <message>
        <source>“{path}” is not an ordinary file.</source>
        <translation>“{path}”不是普通文件。</translation>
    </message>
    <message>
        <source>“{name}” is too large ({size} MiB; the limit is {limit} MiB).</source>
        <translation>“{name}”过大（{size} MiB；上限为 {limit} MiB）。</translation>
    </message>
    <message>
        <source>“{path}” does not exist.</source>
        <translation>“{path}”不存在。</translation>
    </message>
    <message>
        <source>You do not have permission to read “{path}”.</source>
        <translation>没有读取“{path}”的权限。</translation>
    </message>
    <message>
        <source>“{path}” could not be read: {error}.</source>
        <translation>无法读取“{path}”：{error}。</translation>
    </message>
    <message>
        <source>“{name}” could not be opened. {reason}</source>
        <translation>无法打开“{name}”。{reason}</translation>
    </message>
    <message>
        <source>Restore a backup of the project.</source>
        <translation>请恢复项目的备份。</translation>
    </message>
    <message>
        <source>The saved content of a paragraph cannot be read: {error}.</source>
        <translation>无法读取一个段落已保存的内容：{error}。</translation>
    </message>
    <message>
        <source>This file contains no subtitle times (00:00:01,000 --&gt; 00:00:02,000).</source>
        <translation>此文件中没有字幕时间（00:00:01,000 --&gt; 00:00:02,000）。</translation>
    </message>
    <message>
        <source>Check that it is a SubRip file. Other subtitle formats use other extensions.</source>
        <translation>请确认这是 SubRip 字幕文件；其他字幕格式的扩展名不同。</translation>
    </message>
    <message>
        <source>Correct or reset the rules.</source>
        <translation>请修正规则，或恢复默认规则。</translation>
    </message>
    <message>
        <source>The file with the sentence rules is too long.</source>
        <translation>断句规则文件过长。</translation>
    </message>
    <message>
        <source>Choose another file.</source>
        <translation>请选择其他文件。</translation>
    </message>
    <message>
        <source>The sentence rules are not valid on line {line}: {what}.</source>
        <translation>断句规则第 {line} 行无效：{what}。</translation>
    </message>
    <message>
        <source>The sentence rules are not valid: {what}.</source>
        <translation>断句规则无效：{what}。</translation>
    </message>
    <message>
        <source>no language has any rules</source>
        <translation>所有语言都没有规则</translation>
    </message>
    <message>
        <source>the regular expression “{expression}” is not valid ({reason})</source>
        <translation>正则表达式“{expression}”无效（{reason}）</translation>
    </message>
    <message>
        <source>a rule is empty</source>
        <translation>有一条规则为空</translation>
    </message>
    <message>
        <source>document type declarations are not accepted</source>
        <translation>不接受文档类型声明</translation>
    </message>
    <message>
        <source>the file does not contain SRX rules</source>
        <translation>文件中没有 SRX 规则</translation>
    </message>
    <message>
        <source>there are no rules with the name “{name}”</source>
        <translation>没有名为“{name}”的规则</translation>
    </message>
    <message>
        <source>The sentence rules take too long on this text.</source>
        <translation>断句规则处理这段文本耗时过长。</translation>
    </message>
    <message>
        <source>Simplify or reset them in Edit ▸ Sentence rules….</source>
        <translation>请在“编辑 ▸ 断句规则…”中简化规则，或恢复默认规则。</translation>
    </message>
    <message>
        <source>the file is not XML ({error})</source>
        <translation>文件不是 XML（{error}）</translation>
    </message>
    <message>
        <source>This is not a translation memory: its root element is “{name}”.</source>
        <translation>这不是翻译记忆库文件：根元素是“{name}”。</translation>
    </message>
    <message>
        <source>This is not an XLIFF file: its root element is “{name}”.</source>
        <translation>这不是 XLIFF 文件：根元素是“{name}”。</translation>
    </message>
    <message>
        <source>Excel workbook</source>
        <translation>Excel 工作簿</translation>
    </message>
    <message>
        <source>The part “{name}” of the file</source>
        <translation>文件中的“{name}”部分</translation>
    </message>
    <message>
        <source>The file</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>{what} contains XML entities or a document type, which are not allowed in this format.</source>
        <translation>{what}含有此格式不允许的 XML 实体或文档类型声明。</translation>
    </message>
    <message>
        <source>{what} is too large.</source>
        <translation>{what}过大。</translation>
    </message>
    <message>
        <source>The file is damaged. Repair it in the program that made it and save it again.</source>
        <translation>文件已损坏，请用相应的程序修复并重新保存。</translation>
    </message>
    <message>
        <source>{what} is not valid XML.</source>
        <translation>{what}不是有效的 XML。</translation>
    </message>
    <message>
        <source>The file is not valid XML.</source>
        <translation>文件不是有效的 XML。</translation>
    </message>
    <message>
        <source>The file is damaged. Save it again in the program that made it.</source>
        <translation>文件已损坏，请用创建它的程序重新保存。</translation>
    </message>
    <message>
        <source>Choose another name or folder.</source>
        <translation>请选择其他文件名或文件夹。</translation>
    </message>
    <message>
        <source>“{name}” is the original. The translation would replace it.</source>
        <translation>“{name}”是原文件，译文会将其覆盖。</translation>
    </message>
    <message>
        <source>Choose another folder.</source>
        <translation>请选择其他文件夹。</translation>
    </message>
    <message>
        <source>The folder “{folder}” could not be created: {reason}.</source>
        <translation>无法创建文件夹“{folder}”：{reason}。</translation>
    </message>
    <message>
        <source>Choose another file name.</source>
        <translation>请选择其他文件名。</translation>
    </message>
    <message>
        <source>Create it, or choose another one.</source>
        <translation>请创建该文件夹，或另选一个。</translation>
    </message>
    <message>
        <source>“{name}” must end in “{suffix}” to keep the format of the original.</source>
        <translation>“{name}”必须以“{suffix}”结尾，才能保持原文件的格式。</translation>
    </message>
    <message>
        <source>“{destination}” is the original itself.</source>
        <translation>“{destination}”就是原文件。</translation>
    </message>
    <message>
        <source>The folder of “{destination}” does not exist.</source>
        <translation>“{destination}”所在的文件夹不存在。</translation>
    </message>
    <message>
        <source>Choose a folder with documents.</source>
        <translation>请选择含有文档的文件夹。</translation>
    </message>
    <message>
        <source>“{name}” contains no document that can be opened.</source>
        <translation>“{name}”中没有可以打开的文档。</translation>
    </message>
    <message>
        <source>{message} {reasons}</source>
        <translation>{message}{reasons}</translation>
    </message>
    <message>
        <source>Reset or remove them.</source>
        <translation>请恢复默认规则，或删除这些规则。</translation>
    </message>
    <message>
        <source>The sentence rules in “{path}” cannot be read: {error}.</source>
        <translation>无法读取“{path}”中的断句规则：{error}。</translation>
    </message>
    <message>
        <source>The project “{name}” was made by an older version of Anaphora and could not be backed up, so it was not changed. {reason}</source>
        <translation>项目“{name}”由 Anaphora 的旧版本创建，更新前无法备份，因此未作任何更改。{reason}</translation>
    </message>
    <message>
        <source>Open a backup, or move the project elsewhere and open the document again.</source>
        <translation>请打开备份，或将项目移到其他文件夹后重新打开文档。</translation>
    </message>
    <message>
        <source>Choose a file saved by Anaphora.</source>
        <translation>请选择由 Anaphora 保存的文件。</translation>
    </message>
    <message>
        <source>Install the latest version to open it. The file was not changed.</source>
        <translation>请安装最新版本后再打开。文件未作更改。</translation>
    </message>
    <message>
        <source>The project “{name}” is open in another window of Anaphora.</source>
        <translation>项目“{name}”已在另一个 Anaphora 窗口中打开。</translation>
    </message>
    <message>
        <source>Continue in that window, or close it and try again.</source>
        <translation>请在那个窗口中继续，或将其关闭后重试。</translation>
    </message>
    <message>
        <source>Copy it to a folder that you can write to.</source>
        <translation>请将其复制到您有写入权限的文件夹。</translation>
    </message>
    <message>
        <source>“{path}” could not be saved: the disk is full.</source>
        <translation>无法保存“{path}”：磁盘已满。</translation>
    </message>
    <message>
        <source>“{path}” could not be opened: the disk is full.</source>
        <translation>无法打开“{path}”：磁盘已满。</translation>
    </message>
    <message>
        <source>Free some space on the disk. An open project needs a little space.</source>
        <translation>请在磁盘上腾出一些空间，打开的项目需要占用少量空间。</translation>
    </message>
    <message>
        <source>The project “{path}” could not be saved or read: {error}.</source>
        <translation>无法保存或读取项目“{path}”：{error}。</translation>
    </message>
    <message>
        <source>The project “{path}” is damaged and was not changed.</source>
        <translation>项目“{path}”已损坏，未作任何更改。</translation>
    </message>
    <message>
        <source>It may have been moved.</source>
        <translation>项目可能已移动。</translation>
    </message>
    <message>
        <source>Check its folder and your permissions.</source>
        <translation>请检查项目所在的文件夹和您的访问权限。</translation>
    </message>
    <message>
        <source>“{name}” is not an Anaphora project.</source>
        <translation>“{name}”不是 Anaphora 项目。</translation>
    </message>
    <message>
        <source>The project “{name}” was made by a newer version of Anaphora.</source>
        <translation>项目“{name}”由较新版本的 Anaphora 创建。</translation>
    </message>
    <message>
        <source>The project “{path}” cannot be changed: the file or its folder is read-only.</source>
        <translation>无法写入项目“{path}”：该文件或所在文件夹为只读。</translation>
    </message>
    <message>
        <source>“{path}” is not a file.</source>
        <translation>“{path}”不是文件。</translation>
    </message>
    <message>
        <source>The project “{path}” does not exist.</source>
        <translation>项目“{path}”不存在。</translation>
    </message>
    <message>
        <source>The project “{path}” could not be read: {reason}.</source>
        <translation>无法读取项目“{path}”：{reason}。</translation>
    </message>
    <message>
        <source>It may have been removed. Open the project again.</source>
        <translation>该文档可能已移除，请重新打开项目。</translation>
    </message>
    <message>
        <source>The project “{name}” has no document {document}.</source>
        <translation>项目“{name}”中没有文档 {document}。</translation>
    </message>
    <message>
        <source>Open it, or choose another name.</source>
        <translation>请直接打开该项目，或换一个名称。</translation>
    </message>
    <message>
        <source>A project needs at least one document.</source>
        <translation>项目中至少要保留一个文档。</translation>
    </message>
    <message>
        <source>You can close the project instead.</source>
        <translation>如果不再需要此项目，可以将其关闭。</translation>
    </message>
    <message>
        <source>The copy would have the project's name and folder.</source>
        <translation>副本的名称和文件夹与原项目相同。</translation>
    </message>
    <message>
        <source>Choose another name.</source>
        <translation>请换一个名称。</translation>
    </message>
    <message>
        <source>Put the file back, or save the project under another name.</source>
        <translation>请将文件放回原处，或将项目另存为其他名称。</translation>
    </message>
    <message>
        <source>The project “{path}” already exists.</source>
        <translation>项目“{path}”已存在。</translation>
    </message>
    <message>
        <source>It may have been replaced by another file. Open the document again.</source>
        <translation>项目文件可能已被其他文件替换，请重新打开文档。</translation>
    </message>
    <message>
        <source>Open the document again.</source>
        <translation>请重新打开文档。</translation>
    </message>
    <message>
        <source>The project “{path}” was moved or deleted, or its drive was removed.</source>
        <translation>项目“{path}”已移动或删除，或者所在的驱动器已移除。</translation>
    </message>
    <message>
        <source>Open it again.</source>
        <translation>请重新打开。</translation>
    </message>
    <message>
        <source>The project “{name}” has no segment {segment}. Nothing was saved.</source>
        <translation>项目“{name}”中没有句段 {segment}，因此未保存任何内容。</translation>
    </message>
    <message>
        <source>The segments to join or split are not in the project “{name}”. Nothing was saved.</source>
        <translation>要合并或拆分的句段不在项目“{name}”中，因此未保存任何内容。</translation>
    </message>
    <message>
        <source>The project “{name}” is closed.</source>
        <translation>项目“{name}”已关闭。</translation>
    </message>
    <message>
        <source>“{name}” has been open in this window since {when}.</source>
        <translation>“{name}”已于 {when} 在此窗口中打开。</translation>
    </message>
    <message>
        <source>“{name}” has been open in another window on this computer since {when}.</source>
        <translation>“{name}”已于 {when} 在本机的另一个窗口中打开。</translation>
    </message>
    <message>
        <source>{user} has had “{name}” open on the computer “{computer}” since {when}.</source>
        <translation>{user} 自 {when} 起在计算机“{computer}”上打开了“{name}”，尚未关闭。</translation>
    </message>
    <message>
        <source>{user} has had “{name}” open on this computer since {when}.</source>
        <translation>{user} 自 {when} 起在本机上打开了“{name}”，尚未关闭。</translation>
    </message>
    <message>
        <source>Another user</source>
        <translation>其他用户</translation>
    </message>
    <message>
        <source>Close it there and try again.</source>
        <translation>请在那里关闭后重试。</translation>
    </message>
    <message>
        <source>“{name}” is open in this window.</source>
        <translation>“{name}”已在此窗口中打开。</translation>
    </message>
    <message>
        <source>Free some space on the disk.</source>
        <translation>请释放一些磁盘空间。</translation>
    </message>
    <message>
        <source>Check the disk and your permissions for the folder.</source>
        <translation>请检查磁盘，以及您对所在文件夹的权限。</translation>
    </message>
    <message>
        <source>Choose a folder that you can write to.</source>
        <translation>请选择您有写入权限的文件夹。</translation>
    </message>
    <message>
        <source>The disk is read-only. Choose another folder.</source>
        <translation>磁盘是只读的。请选择其他文件夹。</translation>
    </message>
    <message>
        <source>The disk is full. Free some space, or choose another disk.</source>
        <translation>磁盘已满，请释放空间或选择其他磁盘。</translation>
    </message>
    <message>
        <source>Your quota is used up. Free some space, or choose another disk.</source>
        <translation>您的磁盘配额已用完，请释放空间或选择其他磁盘。</translation>
    </message>
    <message>
        <source>The folder does not exist. Choose another one.</source>
        <translation>文件夹不存在，请另选一个。</translation>
    </message>
    <message>
        <source>Part of the path is a file, not a folder. Choose another folder.</source>
        <translation>路径中有一部分是文件而不是文件夹，请选择其他文件夹。</translation>
    </message>
    <message>
        <source>A folder has this name. Choose another file name.</source>
        <translation>已有同名的文件夹，请选择其他文件名。</translation>
    </message>
    <message>
        <source>The file name is too long. Choose a shorter one.</source>
        <translation>文件名过长，请使用较短的文件名。</translation>
    </message>
    <message>
        <source>Try another folder.</source>
        <translation>请尝试其他文件夹。</translation>
    </message>
    <message>
        <source>There is a line break between these segments, so they cannot be joined.</source>
        <translation>这些句段之间有换行，无法合并。</translation>
    </message>
    <message>
        <source>Translate them one by one.</source>
        <translation>请分别翻译。</translation>
    </message>
    <message>
        <source>One part would contain nothing to translate.</source>
        <translation>拆分后有一部分没有可翻译的内容。</translation>
    </message>
    <message>
        <source>Choose a place between words.</source>
        <translation>请选择词与词之间的位置。</translation>
    </message>
    <message>
        <source>The segment cannot be split inside formatting, such as bold text or a link.</source>
        <translation>不能在粗体、链接等格式内部拆分句段。</translation>
    </message>
    <message>
        <source>Choose a place before or after the formatting.</source>
        <translation>请选择格式之前或之后的位置。</translation>
    </message>
    <message>
        <source>The segments in the document differ from those in the project.</source>
        <translation>文档的句段与项目中的不同。</translation>
    </message>
    <message>
        <source>The project was made with another version of Anaphora. Its segments were not changed.</source>
        <translation>项目由其他版本的 Anaphora 创建，句段未作更改。</translation>
    </message>
    <message>
        <source>Nothing would change.</source>
        <translation>不会有任何变化。</translation>
    </message>
    <message>
        <source>No CUDA device is available. Choose the CPU as the compute device.</source>
        <translation>没有可用的 CUDA 设备，请选择 CPU 作为计算设备。</translation>
    </message>
    <message>
        <source>{folder} needs a newer version of Anaphora. Update Anaphora to use it.</source>
        <translation>“{folder}”由较新版本的 Anaphora 生成，请更新 Anaphora 后再使用。</translation>
    </message>
    <message>
        <source>The proper names in {path} cannot be read ({reason}). Install the model again.</source>
        <translation>无法读取“{path}”中的人名和地名（{reason}）。请重新安装模型。</translation>
    </message>
    <message>
        <source>{folder} already exists. Choose another folder.</source>
        <translation>“{folder}”已存在，请选择其他文件夹。</translation>
    </message>
    <message>
        <source>The model in {folder} cannot be loaded ({reason}). Install it again or choose another one.</source>
        <translation>无法加载“{folder}”中的模型（{reason}）。请重新安装该模型，或选择另一个模型。</translation>
    </message>
    <message>
        <source>The model in {folder} cannot be loaded. {reason}</source>
        <translation>无法加载“{folder}”中的模型。{reason}</translation>
    </message>
    <message>
        <source>The model in {folder} has incomplete vocabularies. Install it again or choose another one.</source>
        <translation>“{folder}”中模型的词表不完整。请重新安装该模型，或选择另一个模型。</translation>
    </message>
    <message>
        <source>The model's document memory does not match the model's settings. Install the model again.</source>
        <translation>模型的文档记忆与模型的设置不符。请重新安装模型。</translation>
    </message>
    <message>
        <source>{path} cannot be unpacked ({reason}).</source>
        <translation>无法解压“{path}”（{reason}）。</translation>
    </message>
    <message>
        <source>{path} is too large for a model archive and was not unpacked.</source>
        <translation>“{path}”的内容超出模型压缩包应有的大小，未解压。</translation>
    </message>
    <message>
        <source>{path} contains an unexpected entry ({name}) and was not unpacked.</source>
        <translation>“{path}”中有意外的条目（{name}），未解压。</translation>
    </message>
    <message>
        <source>{file} is missing from the model in {folder}. Install the model again.</source>
        <translation>“{folder}”中的模型缺少 {file}。请重新安装该模型。</translation>
    </message>
    <message>
        <source>{file} is too large: {size} MB (at most {most} MB).</source>
        <translation>{file} 过大：{size} MB（上限 {most} MB）。</translation>
    </message>
    <message>
        <source>{file} is damaged or incomplete ({reason}). Install the model again or choose another one.</source>
        <translation>{file} 已损坏或不完整（{reason}）。请重新安装该模型或选择其他模型。</translation>
    </message>
    <message>
        <source>{path} contains several models. Choose one of its folders: {names}.</source>
        <translation>“{path}”中有多个模型，请选择其中一个文件夹：{names}。</translation>
    </message>
    <message>
        <source>{path} contains no supported model. Anaphora supports {kinds}.</source>
        <translation>“{path}”中没有受支持的模型。Anaphora 支持 {kinds}。</translation>
    </message>
    <message>
        <source>{file} sets {name} to {value}. Anaphora does not support such models.</source>
        <translation>{file} 将 {name} 设为 {value}。Anaphora 不支持这样的模型。</translation>
    </message>
    <message>
        <source>{file} is not a SentencePiece model. Anaphora does not support other tokenizers.</source>
        <translation>{file} 不是 SentencePiece 模型。Anaphora 不支持其他分词器。</translation>
    </message>
    <message>
        <source>The project “{name}” already contains a file with the same content: {path}.</source>
        <translation>项目“{name}”中已有内容相同的文件：{path}。</translation>
    </message>
    <message>
        <source>Open that project to continue, or start a new one. The existing project does not change.</source>
        <translation>请打开该项目继续工作，或新建项目。原有的项目不会更改。</translation>
    </message>
    <message>
        <source>The model in {folder} lacks the tokenizer file {file}. Add the file, or choose another model. Models with only byte-pair encoding (BPE) are not supported.</source>
        <translation>“{folder}”中的模型缺少分词器文件 {file}。请补上该文件，或选择其他模型。不支持只有字节对编码（BPE）的模型。</translation>
    </message>
    <message>
        <source>{file} does not fit this model. The model's vocabulary contains only {known} of the {count} entries in the file. Use the file that comes with the model, or choose another model.</source>
        <translation>{file} 与此模型不匹配：文件有 {count} 个词表项，模型的词表只包含其中的 {known} 个。请使用该模型自带的文件，或选择其他模型。</translation>
    </message>
    <message>
        <source>The model {name}, which this project uses, is no longer installed.</source>
        <translation>此项目使用的模型“{name}”已不在本机上。</translation>
    </message>
    <message>
        <source>Install it again, or choose another one in Translate ▸ Models….</source>
        <translation>请重新安装，或在“翻译 ▸ 模型…”中选择其他模型。</translation>
    </message>
    <message>
        <source>{file} lacks the weights {name}.</source>
        <translation>{file} 缺少权重 {name}。</translation>
    </message>
    <message>
        <source>{file} does not fit this model: the size of {name} is {found}, but must be {expected}.</source>
        <translation>{file} 与此模型不匹配：{name} 的尺寸为 {found}，应为 {expected}。</translation>
    </message>
    <message>
        <source>{file} contains weights that do not match its settings: {names}.</source>
        <translation>{file} 中有与设置不符的权重：{names}。</translation>
    </message>
    <message>
        <source>{file} is damaged or contains more than weights. It was not read because it could run a program. Get the same model in safetensors format.</source>
        <translation>{file} 已损坏，或含有权重以外的内容。此类文件可能会运行程序，因此未读取。请获取同一模型的 safetensors 版本。</translation>
    </message>
    <message>
        <source>The model in {folder} does not support the language {language}. It supports: {languages}.</source>
        <translation>“{folder}”中的模型不支持语言 {language}。支持的语言：{languages}。</translation>
    </message>
    <message>
        <source>A vocabulary is damaged ({reason}). Install the model again.</source>
        <translation>词表已损坏（{reason}）。请重新安装模型。</translation>
    </message>
    <message>
        <source>{path} cannot be read ({reason}). Install the model again.</source>
        <translation>无法读取“{path}”（{reason}）。请重新安装模型。</translation>
    </message>
    <message>
        <source>{path} cannot be read or written ({reason}). Check the file and the free space, and try again.</source>
        <translation>无法读取或写入“{path}”（{reason}）。请检查该文件和可用空间，然后重试。</translation>
    </message>
    <message>
        <source>The topic model {path} cannot be read ({reason}). Install the model again.</source>
        <translation>无法读取主题模型“{path}”（{reason}）。请重新安装模型。</translation>
    </message>
    <message>
        <source>“{name}” contains no translations.</source>
        <translation>“{name}”不含译文。</translation>
    </message>
    <message>
        <source>Choose a translation memory (TMX), a PO or XLIFF file, or an Anaphora project.</source>
        <translation>请选择翻译记忆库（TMX）、PO 或 XLIFF 文件，或 Anaphora 项目。</translation>
    </message>
    <message>
        <source>“{name}” could not be read: {reason}.</source>
        <translation>无法读取“{name}”：{reason}。</translation>
    </message>
    <message>
        <source>Check that it exists and that you have permission to read it.</source>
        <translation>请确认文件存在且您有权读取。</translation>
    </message>
    <message>
        <source>The project “{name}” was made with an early version of Anaphora.</source>
        <translation>项目“{name}”由 Anaphora 的早期版本创建。</translation>
    </message>
    <message>
        <source>Open it once to update it, and try again.</source>
        <translation>请先打开一次使其更新，然后重试。</translation>
    </message>
    <message>
        <source>The translation memory is full (at most {most} units).</source>
        <translation>翻译记忆库已满（最多 {most} 个翻译单元）。</translation>
    </message>
    <message>
        <source>Export it, and import the units that you still need into a new one.</source>
        <translation>请将其导出，再把仍需要的翻译单元导入新的翻译记忆库。</translation>
    </message>
    <message>
        <source>The translation memory is closed.</source>
        <translation>翻译记忆库已关闭。</translation>
    </message>
    <message>
        <source>Start Anaphora again.</source>
        <translation>请重新启动 Anaphora。</translation>
    </message>
    <message>
        <source>“{path}” is not an Anaphora translation memory.</source>
        <translation>“{path}”不是 Anaphora 的翻译记忆库。</translation>
    </message>
    <message>
        <source>Move it to another folder. Anaphora then creates a new translation memory.</source>
        <translation>请将其移到其他文件夹，Anaphora 随后会新建翻译记忆库。</translation>
    </message>
    <message>
        <source>The translation memory “{path}” was made by a newer version of Anaphora.</source>
        <translation>翻译记忆库“{path}”由较新版本的 Anaphora 创建。</translation>
    </message>
    <message>
        <source>Install the latest version to use it. The file was not changed.</source>
        <translation>请安装最新版本后再使用。文件未作更改。</translation>
    </message>
    <message>
        <source>The translation memory “{path}” cannot be used: {error}.</source>
        <translation>无法使用翻译记忆库“{path}”：{error}。</translation>
    </message>
    <message>
        <source>its disk does not support file locks</source>
        <translation>所在磁盘不支持文件锁定</translation>
    </message>
    <message>
        <source>Set the environment variable ANAPHORA_DATA to a folder on another disk. Restart Anaphora.</source>
        <translation>请将环境变量 ANAPHORA_DATA 设为其他磁盘上的文件夹，然后重新启动 Anaphora。</translation>
    </message>
    <message>
        <source>Another Anaphora window is writing to it. Try again.</source>
        <translation>Anaphora 的另一个窗口正在写入，请重试。</translation>
    </message>
    <message>
        <source>Move it to another folder. Anaphora creates and fills a new translation memory when you open your projects.</source>
        <translation>请将其移到其他文件夹。打开项目时，Anaphora 会新建并填充翻译记忆库。</translation>
    </message>
    <message>
        <source>“{path}” is not an Anaphora term base.</source>
        <translation>“{path}”不是 Anaphora 的术语库。</translation>
    </message>
    <message>
        <source>Move it to another folder. Anaphora then creates a new term base.</source>
        <translation>请将其移到其他文件夹，Anaphora 随后会新建术语库。</translation>
    </message>
    <message>
        <source>The term base “{path}” was made by a newer version of Anaphora.</source>
        <translation>术语库“{path}”由较新版本的 Anaphora 创建。</translation>
    </message>
    <message>
        <source>The term base “{path}” cannot be used: {error}.</source>
        <translation>无法使用术语库“{path}”：{error}。</translation>
    </message>
    <message>
        <source>Move it to another folder, and import your terms into a new term base.</source>
        <translation>请将其移到其他文件夹，再把术语导入新的术语库。</translation>
    </message>
    <message>
        <source>The term base is closed.</source>
        <translation>术语库已关闭。</translation>
    </message>
    <message>
        <source>A term needs text in both languages (at most {n} characters).</source>
        <translation>术语的两种语言都必须有文字，且各不超过 {n} 个字符。</translation>
    </message>
    <message>
        <source>The term base already contains “{term}”.</source>
        <translation>术语库中已有“{term}”。</translation>
    </message>
    <message>
        <source>Add the translation to that term, or enter another domain.</source>
        <translation>请在该术语中添加译名，或填写其他领域。</translation>
    </message>
    <message>
        <source>Check that this is the right file.</source>
        <translation>请确认选对了文件。</translation>
    </message>
    <message>
        <source>The table has more than {limit} rows.</source>
        <translation>该表格超过 {limit} 行。</translation>
    </message>
    <message>
        <source>The table is too large.</source>
        <translation>表格过大。</translation>
    </message>
    <message>
        <source>Split it into smaller ones.</source>
        <translation>请拆分成较小的文件。</translation>
    </message>
    <message>
        <source>“{name}” is not a table of terms: it has fewer than two columns.</source>
        <translation>“{name}”不是术语表：不足两列。</translation>
    </message>
    <message>
        <source>Save it as CSV with a row for each term and a column for each language.</source>
        <translation>请另存为 CSV：每条术语一行，每种语言一列。</translation>
    </message>
    <message>
        <source>The table is damaged near row {row}.</source>
        <translation>表格在第 {row} 行附近已损坏。</translation>
    </message>
    <message>
        <source>Repair it in a spreadsheet and save it again.</source>
        <translation>请用电子表格软件修复后重新保存。</translation>
    </message>
    <message>
        <source>“{name}” contains no term that has both languages.</source>
        <translation>“{name}”中没有两种语言俱全的术语。</translation>
    </message>
    <message>
        <source>“{name}” is too large for a memory pack.</source>
        <translation>“{name}”过大，不能作为记忆包。</translation>
    </message>
    <message>
        <source>“{name}” is not a memory pack.</source>
        <translation>“{name}”不是记忆包。</translation>
    </message>
    <message>
        <source>Choose a file exported as a memory pack.</source>
        <translation>请选择一个作为记忆包导出的文件。</translation>
    </message>
    <message>
        <source>Choose the reviewed file that was exported from this project.</source>
        <translation>请选择从此项目导出并已审校的文件。</translation>
    </message>
    <message>
        <source>“{name}” contains no review table.</source>
        <translation>“{name}”中没有审校表格。</translation>
    </message>
    <message>
        <source>{path} belongs to another model. Install the model again.</source>
        <translation>“{path}”属于另一个模型。请重新安装此模型。</translation>
    </message>
    <message>
        <source>The words in {path} cannot be read ({reason}). Install the model again.</source>
        <translation>无法读取“{path}”中的词表（{reason}）。请重新安装模型。</translation>
    </message>
    <message>
        <source>The dictionary “{name}” cannot be read: {error}.</source>
        <translation>无法读取词典“{name}”：{error}。</translation>
    </message>
    <message>
        <source>Install Anaphora again.</source>
        <translation>请重新安装 Anaphora。</translation>
    </message>
    <message>
        <source>The word “{word}” could not be saved: {error}.</source>
        <translation>未能保存词语“{word}”：{error}。</translation>
    </message>
    <message>
        <source>Your personal dictionary is stored in {path}.</source>
        <translation>您的个人词典保存在 {path} 中。</translation>
    </message>
    <message>
        <source>{path} needs the model's list of words, but {words} is missing. Install the model again.</source>
        <translation>“{path}”需要模型的词语列表，但缺少 {words}。请重新安装模型。</translation>
    </message>
    <message>
        <source>There is too little confirmed text in {name} to tune the document memory: {pairs} segments are needed.</source>
        <translation>“{name}”中已确认的译文太少，无法调整文档记忆：需要 {pairs} 个句段。</translation>
    </message>
    <message>
        <source>“{name}” was not replaced because Anaphora needs this file.</source>
        <translation>未替换“{name}”：Anaphora 需要此文件。</translation>
    </message>
    <message>
        <source>Another document was just written to “{name}”.</source>
        <translation>刚刚已有另一个文档导出到“{name}”。</translation>
    </message>
    <message>
        <source>Export it separately under another name.</source>
        <translation>请用其他文件名单独导出。</translation>
    </message>
    <message>
        <source>it was made before the first release of Anaphora</source>
        <translation>该项目创建于 Anaphora 首个版本发布之前</translation>
    </message>
    <message>
        <source>its database contains tables that Anaphora does not create</source>
        <translation>项目的数据库中有些表不是由 Anaphora 创建的</translation>
    </message>
    <message>
        <source>checking it took too long</source>
        <translation>检查耗时过长</translation>
    </message>
    <message>
        <source>its contents are too large to load</source>
        <translation>内容过大，无法载入</translation>
    </message>
    <message>
        <source>The project “{path}” was not opened and was not changed: {reason}.</source>
        <translation>项目“{path}”未打开，保持原样：{reason}。</translation>
    </message>
    <message>
        <source>You can save the readable translations as a new project.</source>
        <translation>可以把其中能读取的译文保存为新项目。</translation>
    </message>
    <message>
        <source>Nothing in “{name}” can be read.</source>
        <translation>“{name}”中没有可以读取的内容。</translation>
    </message>
    <message>
        <source>Ask the sender for the project again, or open one of its backups.</source>
        <translation>请让发送者重新发送该项目，或打开项目的某个备份。</translation>
    </message>
    <message>
        <source>“{name}” contains no translation and belongs to no project.</source>
        <translation>“{name}”不含译文，也不属于任何项目。</translation>
    </message>
    <message>
        <source>Check a project or a bilingual file instead.</source>
        <translation>请选择项目或双语文件进行检查。</translation>
    </message>
    <message>
        <source>Specify a folder that contains such files.</source>
        <translation>请指定一个包含此类文件的文件夹。</translation>
    </message>
    <message>
        <source>Confirmed text</source>
        <translation>已确认的译文</translation>
    </message>
    <message>
        <source>Words of earlier sentences</source>
        <translation>前面句子中的词</translation>
    </message>
    <message>
        <source>Recent and topic words</source>
        <translation>近期词和主题词</translation>
    </message>
    <message>
        <source>Topic words</source>
        <translation>主题词</translation>
    </message>
    <message>
        <source>Recent words</source>
        <translation>近期词</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>记忆</translation>
    </message>
    <message>
        <source>Context sentences</source>
        <translation>上下文句子</translation>
    </message>
    <message>
        <source>Only one folder in remote storage can be translated at a time.</source>
        <translation>一次只能翻译远程存储中的一个文件夹。</translation>
    </message>
    <message>
        <source>Run the command once for each folder.</source>
        <translation>请对每个文件夹分别运行该命令。</translation>
    </message>
    <message>
        <source>“{address}” could not be reached: {reason}.</source>
        <translation>无法访问“{address}”：{reason}。</translation>
    </message>
    <message>
        <source>Check the address and your login details.</source>
        <translation>请检查地址和登录信息。</translation>
    </message>
    <message>
        <source>“{address}” requires a package that is not installed: {reason}.</source>
        <translation>访问“{address}”所需的软件包尚未安装：{reason}。</translation>
    </message>
    <message>
        <source>If you run Anaphora from its source code, install anaphora[s3] for S3; for other addresses, install anaphora[cluster] and the package named in the message. You cannot add packages to the installed program.</source>
        <translation>如果从源代码运行 Anaphora，请为 S3 安装 anaphora[s3]，为其他地址安装 anaphora[cluster] 和消息中提到的软件包。安装版无法添加软件包。</translation>
    </message>
    <message>
        <source>Ray, which is needed to use several machines, is not installed: {reason}.</source>
        <translation>使用多台计算机需要 Ray，但尚未安装：{reason}。</translation>
    </message>
    <message>
        <source>Install anaphora[cluster] on each machine. Ray supports Linux and macOS, but not every version of Python.</source>
        <translation>请在每台计算机上安装 anaphora[cluster]。Ray 支持 Linux 和 macOS，但并非支持所有 Python 版本。</translation>
    </message>
    <message>
        <source>No Ray cluster was found at “{address}”: {reason}.</source>
        <translation>“{address}”处没有 Ray 集群：{reason}。</translation>
    </message>
    <message>
        <source>The Ray cluster at “{address}” cannot be used: {reason}.</source>
        <translation>无法使用“{address}”处的 Ray 集群：{reason}。</translation>
    </message>
    <message>
        <source>Install the same versions of Python, Ray and Anaphora on each machine.</source>
        <translation>请在每台计算机上安装相同版本的 Python、Ray 和 Anaphora。</translation>
    </message>
    <message>
        <source>Start one with `ray start --head`, or use “local” to start one for this run only.</source>
        <translation>请用 `ray start --head` 启动集群，也可使用“local”，只为本次运行启动一个集群。</translation>
    </message>
    <message>
        <source>The processes of the cluster cannot be used: {reason}.</source>
        <translation>无法使用集群中的进程：{reason}。</translation>
    </message>
    <message>
        <source>The same version of Anaphora must be installed on each machine.</source>
        <translation>每台计算机上必须安装相同版本的 Anaphora。</translation>
    </message>
    <message>
        <source>“{destination}” is the source to translate.</source>
        <translation>“{destination}”是要翻译的原文。</translation>
    </message>
    <message>
        <source>Choose another folder for the translations.</source>
        <translation>请为译文选择另一个文件夹。</translation>
    </message>
    <message>
        <source>“{destination}” is a file.</source>
        <translation>“{destination}”是一个文件。</translation>
    </message>
    <message>
        <source>Specify a folder.</source>
        <translation>请指定一个文件夹。</translation>
    </message>
    <message>
        <source>The folder “{destination}” is not empty.</source>
        <translation>文件夹“{destination}”不是空的。</translation>
    </message>
    <message>
        <source>Use --resume to continue, or choose another folder.</source>
        <translation>请用 --resume 继续，或选择另一个文件夹。</translation>
    </message>
    <message>
        <source>Choose a new folder.</source>
        <translation>请选择一个新文件夹。</translation>
    </message>
    <message>
        <source>The list of models contains an invalid file size.</source>
        <translation>模型列表中某个文件的大小有误。</translation>
    </message>
    <message>
        <source>“{name}” cannot be the name of a model file.</source>
        <translation>“{name}”不能作为模型文件的名称。</translation>
    </message>
    <message>
        <source>Installed: {names}.</source>
        <translation>已安装：{names}。</translation>
    </message>
    <message>
        <source>No model named {name} is available.</source>
        <translation>没有可获取的模型 {name}。</translation>
    </message>
    <message>
        <source>The model {name} is not installed.</source>
        <translation>没有安装模型 {name}。</translation>
    </message>
    <message>
        <source>Several models named {name} are installed.</source>
        <translation>安装了多个名为 {name} 的模型。</translation>
    </message>
    <message>
        <source>The removal failed ({reason}).</source>
        <translation>移除失败（{reason}）。</translation>
    </message>
    <message>
        <source>{name} on the server does not match the list of models.</source>
        <translation>服务器上的 {name} 与模型列表不符。</translation>
    </message>
    <message>
        <source>Free some space first.</source>
        <translation>请先腾出一些空间。</translation>
    </message>
    <message>
        <source>The disk with {folder} has {free} MB of free space, but {needed} MB are needed.</source>
        <translation>{folder} 所在磁盘剩余 {free} MB，但需要 {needed} MB。</translation>
    </message>
    <message>
        <source>A newer version of Anaphora may support the list.</source>
        <translation>较新版本的 Anaphora 可能支持此列表。</translation>
    </message>
    <message>
        <source>{name} is no longer available.</source>
        <translation>{name} 已不再提供。</translation>
    </message>
    <message>
        <source>Mozilla's list of models cannot be read ({reason}).</source>
        <translation>无法读取 Mozilla 的模型列表（{reason}）。</translation>
    </message>
    <message>
        <source>Try again later.</source>
        <translation>请稍后重试。</translation>
    </message>
    <message>
        <source>Add them to the proxy address: HTTPS_PROXY=http://NAME:PASSWORD@HOST:PORT.</source>
        <translation>请将其写入代理地址：HTTPS_PROXY=http://NAME:PASSWORD@HOST:PORT。</translation>
    </message>
    <message>
        <source>{host} did not return a file ({status}).</source>
        <translation>{host} 没有返回文件（{status}）。</translation>
    </message>
    <message>
        <source>Check the system's proxy settings or the variable HTTPS_PROXY.</source>
        <translation>请检查系统的代理设置或变量 HTTPS_PROXY。</translation>
    </message>
    <message>
        <source>Check the network connection and try again.</source>
        <translation>请检查网络连接后重试。</translation>
    </message>
    <message>
        <source>Nothing was downloaded. Check the date and time, and ask your administrator whether the network inspects encrypted connections.</source>
        <translation>未下载任何内容。请检查日期和时间，并向管理员确认网络是否会检查加密连接。</translation>
    </message>
    <message>
        <source>Check the network connection, the firewall and the proxy.</source>
        <translation>请检查网络连接、防火墙和代理。</translation>
    </message>
    <message>
        <source>The connection to {host} was interrupted ({reason}).</source>
        <translation>与 {host} 的连接已中断（{reason}）。</translation>
    </message>
    <message>
        <source>Use an address that begins with https://.</source>
        <translation>请使用以 https:// 开头的地址。</translation>
    </message>
    <message>
        <source>The proxy requires a user name and a password ({status}).</source>
        <translation>代理要求用户名和密码（{status}）。</translation>
    </message>
    <message>
        <source>{host} no longer provides the file ({status}).</source>
        <translation>{host} 不再提供该文件（{status}）。</translation>
    </message>
    <message>
        <source>{host} is overloaded or out of service ({status}).</source>
        <translation>{host} 过载或发生故障（{status}）。</translation>
    </message>
    <message>
        <source>The proxy cannot be used ({reason}).</source>
        <translation>无法使用代理（{reason}）。</translation>
    </message>
    <message>
        <source>{host} does not answer.</source>
        <translation>{host} 没有响应。</translation>
    </message>
    <message>
        <source>The certificate of {host} is not trusted ({reason}).</source>
        <translation>{host} 的证书不可信（{reason}）。</translation>
    </message>
    <message>
        <source>{host} cannot be reached.</source>
        <translation>无法连接 {host}。</translation>
    </message>
    <message>
        <source>{address} is not a secure address. Nothing was downloaded.</source>
        <translation>{address} 不是安全地址，未下载任何内容。</translation>
    </message>
    <message>
        <source>{address} contains no list of models ({reason}).</source>
        <translation>{address} 的内容不是模型列表（{reason}）。</translation>
    </message>
    <message>
        <source>The list of models at {address} is too long.</source>
        <translation>{address} 的模型列表过长。</translation>
    </message>
    <message>
        <source>Line {line} of the file is not valid {kind}: “{text}”.</source>
        <translation>文件第 {line} 行不是有效的 {kind}：“{text}”。</translation>
    </message>
    <message>
        <source>The file is damaged, incomplete or in another format. Repair it in a text editor.</source>
        <translation>文件已损坏、不完整或为其他格式，请用文本编辑器修复。</translation>
    </message>
    <message>
        <source>This is not a WebVTT file: its first line is not “WEBVTT”.</source>
        <translation>这不是 WebVTT 文件：第一行不是“WEBVTT”。</translation>
    </message>
    <message>
        <source>Check that this is the right file. Other subtitle formats use other extensions.</source>
        <translation>请确认选对了文件；其他字幕格式使用其他扩展名。</translation>
    </message>
    <message>
        <source>This is not a valid {kind}: its root element is “{name}”.</source>
        <translation>这不是有效的 {kind}：根元素是“{name}”。</translation>
    </message>
    <message>
        <source>Check that this is the right file. Other files with this extension cannot be translated.</source>
        <translation>请确认选对了文件；使用此扩展名的其他文件无法翻译。</translation>
    </message>
    <message>
        <source>This is not a Qt translation file: it has no element “TS”.</source>
        <translation>这不是 Qt 翻译文件：其中没有“TS”元素。</translation>
    </message>
    <message>
        <source>Check that this is the right file. TypeScript and video files use the same extension.</source>
        <translation>请确认选对了文件；TypeScript 和视频也使用相同的扩展名。</translation>
    </message>
    <message>
        <source>This is a binary property list.</source>
        <translation>这是二进制属性列表。</translation>
    </message>
    <message>
        <source>Convert it first: plutil -convert xml1 FILE.</source>
        <translation>请先转换：plutil -convert xml1 文件。</translation>
    </message>
    <message>
        <source>This is not a String Catalog: it has no strings or no source language.</source>
        <translation>这不是 Apple 字符串目录（String Catalog）：其中没有字符串或没有源语言。</translation>
    </message>
    <message>
        <source>Check that this is the right file. You can view its contents in Xcode.</source>
        <translation>请确认选对了文件；可用 Xcode 查看其内容。</translation>
    </message>
    <message>
        <source>Cancelled.</source>
        <translation>已取消。</translation>
    </message>
    <message>
        <source>Nothing was changed.</source>
        <translation>未作任何更改。</translation>
    </message>
    <message>
        <source>“{path}” contains neither a bilingual file nor a project.</source>
        <translation>“{path}”中没有双语文件，也没有项目。</translation>
    </message>
    <message>
        <source>The table has a cell that is too long.</source>
        <translation>表格中有一个单元格过长。</translation>
    </message>
    <message>
        <source>Shorten or remove it.</source>
        <translation>请缩短或删除该内容。</translation>
    </message>
    <message>
        <source>Install LibreOffice (libreoffice.org), or save the file as {suffix} first.</source>
        <translation>请安装 LibreOffice（libreoffice.org），或先将文件另存为 {suffix}。</translation>
    </message>
    <message>
        <source>The file is not in {suffix} format.</source>
        <translation>文件不是 {suffix} 格式。</translation>
    </message>
    <message>
        <source>It may be damaged or have the wrong extension. Open it in the program that made it.</source>
        <translation>可能是扩展名有误或文件已损坏，请用创建它的程序打开。</translation>
    </message>
    <message>
        <source>LibreOffice is needed to read this file but is not installed.</source>
        <translation>读取此文件需要 LibreOffice，但尚未安装。</translation>
    </message>
    <message>
        <source>LibreOffice cannot convert this file.</source>
        <translation>LibreOffice 无法转换此文件。</translation>
    </message>
    <message>
        <source>It may be damaged or protected by a password. Open it in LibreOffice or Word to check.</source>
        <translation>文件可能已损坏或受密码保护。请在 LibreOffice 或 Word 中打开检查。</translation>
    </message>
    <message>
        <source>LibreOffice could not be started: {reason}.</source>
        <translation>无法启动 LibreOffice：{reason}。</translation>
    </message>
    <message>
        <source>Free some space on the disk for temporary files, or reinstall LibreOffice.</source>
        <translation>请在临时文件所在磁盘上腾出空间，或重新安装 LibreOffice。</translation>
    </message>
    <message>
        <source>LibreOffice did not convert this file within {seconds} seconds.</source>
        <translation>LibreOffice 未能在 {seconds} 秒内转换此文件。</translation>
    </message>
    <message>
        <source>Save it in a newer format in LibreOffice or Word, and open the new file.</source>
        <translation>请在 LibreOffice 或 Word 中将其另存为较新的格式，然后打开该文件。</translation>
    </message>
    <message>
        <source>HTML blocks are not translated. Blocks that contain text: {count}.</source>
        <translation>HTML 块不翻译，其中 {count} 处含有文字。</translation>
    </message>
    <message>
        <source>Passages that could not be parsed are not translated: {count} (lines {lines}).</source>
        <translation>无法解析的内容不翻译：{count} 处（第 {lines} 行）。</translation>
    </message>
    <message>
        <source>Code and formulas are not translated. Places that contain text: {count}.</source>
        <translation>代码和公式不翻译，其中 {count} 处含有文字。</translation>
    </message>
    <message>
        <source>Template code is not translated. Places that contain text: {count}.</source>
        <translation>模板代码不翻译，其中 {count} 处含有文字。</translation>
    </message>
    <message>
        <source>Dates and other computed fields are not translated. Fields that contain text: {count}.</source>
        <translation>由 Word 计算的日期等域不翻译，其中 {count} 处含有文字。</translation>
    </message>
    <message>
        <source>Formulas are not translated: {count}.</source>
        <translation>公式不翻译：{count} 处。</translation>
    </message>
    <message>
        <source>Automatic fields are not translated. Fields that contain text: {count}.</source>
        <translation>自动填写的字段不翻译，其中 {count} 处含有文字。</translation>
    </message>
    <message>
        <source>Form labels are not translated: {count}.</source>
        <translation>表单标签不翻译：{count} 处。</translation>
    </message>
    <message>
        <source>Words in number and date formats are not translated: {count}.</source>
        <translation>数字和日期格式中的文字不翻译：{count} 处。</translation>
    </message>
    <message>
        <source>Data tables behind charts are not translated: {count}. Their source text appears when you edit the data.</source>
        <translation>图表所用的数据表不翻译：{count} 个。编辑数据时会显示其中的原文。</translation>
    </message>
    <message>
        <source>Dates and other fields computed by PowerPoint are not translated. Fields that contain text: {count}.</source>
        <translation>由 PowerPoint 计算的日期等字段不翻译，其中 {count} 处含有文字。</translation>
    </message>
    <message>
        <source>Formulas are not translated. Formulas that contain text: {count}. If a formula compares this text with a cell, change the formula in Excel.</source>
        <translation>公式不翻译，其中 {count} 处含有文字。如果公式会将文字与单元格的内容比较，请在 Excel 中修改公式。</translation>
    </message>
    <message>
        <source>Sheet names are not translated because formulas or macros may use them.</source>
        <translation>工作表名称不翻译，因为公式或宏可能用到这些名称。</translation>
    </message>
    <message>
        <source>Pivot tables show the source text until they are refreshed in Excel.</source>
        <translation>数据透视表在 Excel 中刷新之前仍显示原文。</translation>
    </message>
    <message>
        <source>Scripts and styles are not translated. Places that contain text: {count}.</source>
        <translation>脚本和样式不翻译，其中 {count} 处含有文字。</translation>
    </message>
    <message>
        <source>Columns to translate: {names}.</source>
        <translation>要翻译的列：{names}。</translation>
    </message>
    <message>
        <source>Columns for the translation: {names}.</source>
        <translation>译文列：{names}。</translation>
    </message>
    <message>
        <source>Units without text in the source language ({language}): {count} of {all}.</source>
        <translation>没有源语言（{language}）文字的单元：{count} / {all}。</translation>
    </message>
    <message>
        <source>Texts inside &lt;sub&gt; elements are not translated: {count}.</source>
        <translation>&lt;sub&gt; 元素内的文字不翻译：{count} 处。</translation>
    </message>
    <message>
        <source>The disk is not responding, so the project could not be changed.</source>
        <translation>磁盘没有响应，因此无法更改项目。</translation>
    </message>
    <message>
        <source>Open the project again when the disk responds.</source>
        <translation>请在磁盘恢复响应后重新打开项目。</translation>
    </message>
    <message>
        <source>Some plural forms or device variants are missing in the target language, so Anaphora does not show them: {count}. Add them in Xcode (Vary by Plural), and open the file again.</source>
        <translation>文件中有 {count} 处缺少目标语言的复数形式或设备变体，因此不予显示。请在 Xcode 中添加（Vary by Plural），然后重新打开文件。</translation>
    </message>
    <message>
        <source>Plain text</source>
        <translation>纯文本</translation>
    </message>
    <message>
        <source>Markdown</source>
        <translation>Markdown 文档</translation>
    </message>
    <message>
        <source>MDX</source>
        <translation>MDX 文档</translation>
    </message>
    <message>
        <source>OpenDocument text</source>
        <translation>OpenDocument 文本</translation>
    </message>
    <message>
        <source>HTML page</source>
        <translation>HTML 网页</translation>
    </message>
    <message>
        <source>EPUB book</source>
        <translation>EPUB 电子书</translation>
    </message>
    <message>
        <source>Gettext catalogue</source>
        <translation>Gettext 消息目录</translation>
    </message>
    <message>
        <source>SubRip subtitles</source>
        <translation>SubRip 字幕</translation>
    </message>
    <message>
        <source>Substation Alpha subtitles</source>
        <translation>Substation Alpha 字幕</translation>
    </message>
    <message>
        <source>WebVTT subtitles</source>
        <translation>WebVTT 字幕</translation>
    </message>
    <message>
        <source>XLIFF</source>
        <translation>XLIFF 翻译文件</translation>
    </message>
    <message>
        <source>Translation memory</source>
        <translation>翻译记忆库</translation>
    </message>
    <message>
        <source>Table</source>
        <translation>表格</translation>
    </message>
    <message>
        <source>JSON strings</source>
        <translation>JSON 字符串</translation>
    </message>
    <message>
        <source>YAML strings</source>
        <translation>YAML 字符串</translation>
    </message>
    <message>
        <source>Java properties</source>
        <translation>Java 属性</translation>
    </message>
    <message>
        <source>.NET resources</source>
        <translation>.NET 资源</translation>
    </message>
    <message>
        <source>Android strings</source>
        <translation>Android 字符串</translation>
    </message>
    <message>
        <source>Apple strings</source>
        <translation>Apple 字符串</translation>
    </message>
    <message>
        <source>Apple String Catalog</source>
        <translation>Apple 字符串目录（String Catalog）</translation>
    </message>
    <message>
        <source>Qt translations</source>
        <translation>Qt 翻译</translation>
    </message>
    <message>
        <source>Rich Text (via LibreOffice)</source>
        <translation>RTF 文档（由 LibreOffice 转换）</translation>
    </message>
    <message>
        <source>Word 97 document (via LibreOffice)</source>
        <translation>Word 97 文档（由 LibreOffice 转换）</translation>
    </message>
    <message>
        <source>PowerPoint 97 presentation (via LibreOffice)</source>
        <translation>PowerPoint 97 演示文稿（由 LibreOffice 转换）</translation>
    </message>
    <message>
        <source>Excel 97 workbook (via LibreOffice)</source>
        <translation>Excel 97 工作簿（由 LibreOffice 转换）</translation>
    </message>
    <message>
        <source>OpenDocument presentation (via LibreOffice)</source>
        <translation>OpenDocument 演示文稿（由 LibreOffice 转换）</translation>
    </message>
    <message>
        <source>OpenDocument spreadsheet (via LibreOffice)</source>
        <translation>OpenDocument 电子表格（由 LibreOffice 转换）</translation>
    </message>
    <message>
        <source>Run “anaphora models list” to see all models.</source>
        <translation>请运行 anaphora models list 查看所有模型。</translation>
    </message>
    <message>
        <source>The columns of “{name}” could not be identified.</source>
        <translation>无法识别“{name}”各列的内容。</translation>
    </message>
    <message>
        <source>Name the columns in the first row: source, target, usage, note.</source>
        <translation>请在第一行写明列名：source（原文）、target（译文）、usage（用法）、note（备注）。</translation>
    </message>
</context>
<context>
    <name>Places</name>
    <message>
        <source>Slide {0}</source>
        <translation>第 {0} 张幻灯片</translation>
    </message>
    <message>
        <source>: </source>
        <translation>：</translation>
    </message>
    <message>
        <source>, </source>
        <translation>，</translation>
    </message>
    <message>
        <source>hidden</source>
        <translation>隐藏</translation>
    </message>
    <message>
        <source>chart</source>
        <translation>图表</translation>
    </message>
    <message>
        <source>diagram</source>
        <translation>示意图</translation>
    </message>
    <message>
        <source>notes</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>comment</source>
        <translation>批注</translation>
    </message>
    <message>
        <source>Name of a section</source>
        <translation>节的名称</translation>
    </message>
    <message>
        <source>Slide layout</source>
        <translation>幻灯片版式</translation>
    </message>
    <message>
        <source>Footnote</source>
        <translation>脚注</translation>
    </message>
    <message>
        <source>Endnote</source>
        <translation>尾注</translation>
    </message>
    <message>
        <source>Comment</source>
        <translation>批注</translation>
    </message>
    <message>
        <source>Header</source>
        <translation>页眉</translation>
    </message>
    <message>
        <source>Footer</source>
        <translation>页脚</translation>
    </message>
    <message>
        <source>Chart</source>
        <translation>图表</translation>
    </message>
    <message>
        <source>Diagram</source>
        <translation>示意图</translation>
    </message>
    <message>
        <source>Text in a chart</source>
        <translation>图表中的文字</translation>
    </message>
    <message>
        <source>Alternative text of a picture</source>
        <translation>图片的替代文字</translation>
    </message>
    <message>
        <source>Title of a picture</source>
        <translation>图片标题</translation>
    </message>
    <message>
        <source>ScreenTip of a link</source>
        <translation>链接的屏幕提示</translation>
    </message>
    <message>
        <source>Title of the document</source>
        <translation>文档标题</translation>
    </message>
    <message>
        <source>Subject of the document</source>
        <translation>文档主题</translation>
    </message>
    <message>
        <source>Keywords of the document</source>
        <translation>文档关键词</translation>
    </message>
    <message>
        <source>Keyword of the document</source>
        <translation>文档关键词</translation>
    </message>
    <message>
        <source>Comments on the document</source>
        <translation>文档备注</translation>
    </message>
    <message>
        <source>Category of the document</source>
        <translation>文档类别</translation>
    </message>
    <message>
        <source>Property of the document</source>
        <translation>文档属性</translation>
    </message>
    <message>
        <source>Watermark</source>
        <translation>水印</translation>
    </message>
    <message>
        <source>Title of a content control</source>
        <translation>内容控件的标题</translation>
    </message>
    <message>
        <source>Title of a table</source>
        <translation>表格标题</translation>
    </message>
    <message>
        <source>Alternative text of a table</source>
        <translation>表格的替代文字</translation>
    </message>
    <message>
        <source>A choice in a list</source>
        <translation>列表中的选项</translation>
    </message>
    <message>
        <source>Help text of a form field</source>
        <translation>表单域的帮助文字</translation>
    </message>
    <message>
        <source>Number format of a list</source>
        <translation>列表的编号格式</translation>
    </message>
    <message>
        <source>%{0}% stands for the number</source>
        <translation>%{0}% 代表编号</translation>
    </message>
    <message>
        <source>Hidden text</source>
        <translation>隐藏文字</translation>
    </message>
    <message>
        <source>Sheet “{0}”</source>
        <translation>工作表“{0}”</translation>
    </message>
    <message>
        <source>cell {0}</source>
        <translation>单元格 {0}</translation>
    </message>
    <message>
        <source>header</source>
        <translation>页眉</translation>
    </message>
    <message>
        <source>footer</source>
        <translation>页脚</translation>
    </message>
    <message>
        <source>comment on {0}</source>
        <translation>{0} 的批注</translation>
    </message>
    <message>
        <source>at most {0} characters</source>
        <translation>最多 {0} 个字符</translation>
    </message>
    <message>
        <source>Name of a sheet</source>
        <translation>工作表名称</translation>
    </message>
    <message>
        <source>must not contain []:*?/\</source>
        <translation>不能含有 []:*?/\</translation>
    </message>
    <message>
        <source>Title of an input message</source>
        <translation>输入信息的标题</translation>
    </message>
    <message>
        <source>Input message</source>
        <translation>输入信息</translation>
    </message>
    <message>
        <source>Title of an error alert</source>
        <translation>出错警告的标题</translation>
    </message>
    <message>
        <source>Error alert</source>
        <translation>出错警告</translation>
    </message>
    <message>
        <source>Text box</source>
        <translation>文本框</translation>
    </message>
    <message>
        <source>Description of a picture</source>
        <translation>图片说明</translation>
    </message>
    <message>
        <source>Description of a table</source>
        <translation>表格说明</translation>
    </message>
    <message>
        <source>Tooltip</source>
        <translation>工具提示</translation>
    </message>
    <message>
        <source>Hint in an empty field</source>
        <translation>空白输入框中的提示</translation>
    </message>
    <message>
        <source>Label for screen readers</source>
        <translation>供屏幕阅读器朗读的标签</translation>
    </message>
    <message>
        <source>Description for screen readers</source>
        <translation>供屏幕阅读器朗读的说明</translation>
    </message>
    <message>
        <source>Value for screen readers</source>
        <translation>供屏幕阅读器朗读的值</translation>
    </message>
    <message>
        <source>Alternative text of a formula</source>
        <translation>公式的替代文字</translation>
    </message>
    <message>
        <source>Label of a button</source>
        <translation>按钮上的文字</translation>
    </message>
    <message>
        <source>Label of a choice</source>
        <translation>选项的文字</translation>
    </message>
    <message>
        <source>Title of the page</source>
        <translation>网页标题</translation>
    </message>
    <message>
        <source>Text in a drawing</source>
        <translation>图形中的文字</translation>
    </message>
    <message>
        <source>Description of the page</source>
        <translation>网页描述</translation>
    </message>
    <message>
        <source>Keywords of the page</source>
        <translation>网页关键词</translation>
    </message>
    <message>
        <source>Subject of the page</source>
        <translation>网页主题</translation>
    </message>
    <message>
        <source>Title of the book</source>
        <translation>书名</translation>
    </message>
    <message>
        <source>Description of the book</source>
        <translation>图书简介</translation>
    </message>
    <message>
        <source>Subject</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>Table of contents</source>
        <translation>目录</translation>
    </message>
    <message>
        <source>Title in the book's navigation</source>
        <translation>电子书目录中的标题</translation>
    </message>
    <message>
        <source>Definition</source>
        <translation>定义</translation>
    </message>
    <message>
        <source>Title</source>
        <translation>标题</translation>
    </message>
</context>
</TS>
