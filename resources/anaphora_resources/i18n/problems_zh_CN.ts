<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<!-- What the errors of the app say (core/errors.py): lupdate does not find these, a test does. -->
<TS version="2.1" language="zh_CN">
<context>
    <name>Problems</name>
    <message>
        <source>The disk of “{path}” does not tell two windows from each other (no locks), so it cannot be worked on there.</source>
        <translation>“{path}”所在的磁盘不支持文件锁，无法防止两个窗口同时写入，因此不能在那里继续工作。</translation>
    </message>
    <message>
        <source>Copy it to a folder on this computer.</source>
        <translation>请将其复制到本机的文件夹。</translation>
    </message>
    <message>
        <source>“{name}”, which says what is done, cannot be read: {reason}.</source>
        <translation>记录已完成内容的“{name}”无法读取：{reason}。</translation>
    </message>
    <message>
        <source>The regular expression “{text}” takes too long.</source>
        <translation>正则表达式“{text}”耗时过长。</translation>
    </message>
    <message>
        <source>To match one of these characters itself, put a backslash before it: \{ \[ \( \. \* \?</source>
        <translation>要匹配这些字符本身，请在前面加反斜杠：\{ \[ \( \. \* \?</translation>
    </message>
    <message>
        <source>The pattern “{pattern}” makes no sense: {error}.</source>
        <translation>模式“{pattern}”无效：{error}。</translation>
    </message>
    <message>
        <source>Make several of it.</source>
        <translation>请拆成几个。</translation>
    </message>
    <message>
        <source>The pattern is longer than {limit} characters.</source>
        <translation>模式超过 {limit} 个字符。</translation>
    </message>
    <message>
        <source>Make it simpler: repeat nothing that is itself repeated.</source>
        <translation>请简化：不要重复本身已带重复的部分。</translation>
    </message>
    <message>
        <source>The pattern “{pattern}” takes too long on this text.</source>
        <translation>模式“{pattern}”在此文本上耗时过长。</translation>
    </message>
    <message>
        <source>Take some away.</source>
        <translation>请删去一些。</translation>
    </message>
    <message>
        <source>There are more than {limit} patterns.</source>
        <translation>模式超过 {limit} 个。</translation>
    </message>
    <message>
        <source>Nothing was changed. Choose so that their texts are read as they are now.</source>
        <translation>未作任何更改。请选择使这些文本仍按现在的方式读取。</translation>
    </message>
    <message>
        <source>{count} segments that were worked on would have no place then.</source>
        <translation>那样的话，{count} 个已处理的句段将没有位置。</translation>
    </message>
    <message>
        <source>The languages of this project are not those of its model.</source>
        <translation>此项目的语言与其模型的语言不同。</translation>
    </message>
    <message>
        <source>Choose a model that goes from and into them in the menu Translate, Models.</source>
        <translation>请在菜单“翻译”的“模型”中选择翻译这些语言的模型。</translation>
    </message>
    <message>
        <source>The file of the project “{name}” has been damaged.</source>
        <translation>项目“{name}”的文件已损坏。</translation>
    </message>
    <message>
        <source>Close the project and open it again: it is then opened from its last backup, with all that can be read of it.</source>
        <translation>请关闭项目并重新打开：届时将用最近的备份打开，并尽可能读回其余内容。</translation>
    </message>
    <message>
        <source>The file has more than {limit} tags and texts.</source>
        <translation>文件中的标记和文本超过 {limit} 个。</translation>
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
        <source>A row of the sheet has more than {limit} cells.</source>
        <translation>工作表中有一行的单元格超过 {limit} 个。</translation>
    </message>
    <message>
        <source>A paragraph of the file has more than {limit} tags.</source>
        <translation>文件中有一段的标记超过 {limit} 个。</translation>
    </message>
    <message>
        <source>A message of the file has more than {limit} lines.</source>
        <translation>文件中有一条消息的行数超过 {limit}。</translation>
    </message>
    <message>
        <source>A subtitle of the file has more than {limit} lines.</source>
        <translation>文件中有一条字幕的行数超过 {limit}。</translation>
    </message>
    <message>
        <source>A tag of the file has more than {limit} attributes.</source>
        <translation>文件中有一个标记的属性超过 {limit} 个。</translation>
    </message>
    <message>
        <source>There is nothing to search for.</source>
        <translation>没有可查找的内容。</translation>
    </message>
    <message>
        <source>Type a word first.</source>
        <translation>请先输入要查找的词。</translation>
    </message>
    <message>
        <source>Correct it, or switch regular expressions off to search for it as it stands.</source>
        <translation>请更正表达式，或关闭“正则表达式”以按原样查找。</translation>
    </message>
    <message>
        <source>Refer only to groups that the pattern has.</source>
        <translation>请只引用表达式中已有的分组。</translation>
    </message>
    <message>
        <source>“{text}” is not a valid regular expression: {error}.</source>
        <translation>“{text}”不是有效的正则表达式：{error}。</translation>
    </message>
    <message>
        <source>The replacement “{replacement}” does not fit the pattern: {error}.</source>
        <translation>替换文本“{replacement}”与表达式不符：{error}。</translation>
    </message>
    <message>
        <source>No [Events] were found in this file.</source>
        <translation>此文件中没有 [Events] 部分。</translation>
    </message>
    <message>
        <source>Check that it is a Substation Alpha file; other subtitles have other names.</source>
        <translation>请确认它是 Substation Alpha 字幕文件；其他字幕格式的扩展名不同。</translation>
    </message>
    <message>
        <source>Word document</source>
        <translation>Word 文档</translation>
    </message>
    <message>
        <source>The encoding of this text file could not be recognised; it may be damaged, or no text at all.</source>
        <translation>无法识别此文本文件的编码；文件可能已损坏，或者根本不是文本。</translation>
    </message>
    <message>
        <source>Save it as UTF-8 in a text editor and open it again.</source>
        <translation>请在文本编辑器中将其另存为 UTF-8，然后重新打开。</translation>
    </message>
    <message>
        <source>This file holds binary data, not text.</source>
        <translation>此文件包含二进制数据，不是文本。</translation>
    </message>
    <message>
        <source>Check that it is the file you meant, and open it with its own name.</source>
        <translation>请确认这就是您要打开的文件，并使用它本来的文件名打开。</translation>
    </message>
    <message>
        <source>It is probably damaged or cut off: get a fresh copy, or repair it in a text editor.</source>
        <translation>文件可能已损坏或不完整：请重新获取一份，或在文本编辑器中修复。</translation>
    </message>
    <message>
        <source>The file says that it is {encoding}, but it holds bytes that are not.</source>
        <translation>文件声明的编码是 {encoding}，但其中有不符合该编码的字节。</translation>
    </message>
    <message>
        <source>The book is locked by copy protection (DRM), so its text cannot be read.</source>
        <translation>这本电子书受版权保护（DRM）锁定，无法读取其文本。</translation>
    </message>
    <message>
        <source>Ask its publisher or author for a copy without protection.</source>
        <translation>请向出版方或作者索取未加保护的版本。</translation>
    </message>
    <message>
        <source>The file is a package, but no EPUB book.</source>
        <translation>此文件是压缩包，但不是 EPUB 电子书。</translation>
    </message>
    <message>
        <source>Open it with its own program.</source>
        <translation>请用相应的程序打开。</translation>
    </message>
    <message>
        <source>The book lacks its package file.</source>
        <translation>电子书缺少包描述文件。</translation>
    </message>
    <message>
        <source>It is damaged: get a fresh copy.</source>
        <translation>文件已损坏：请重新获取一份。</translation>
    </message>
    <message>
        <source>“{name}” has no text to translate in these columns.</source>
        <translation>“{name}”的这些列中没有要翻译的文字。</translation>
    </message>
    <message>
        <source>The first column is 1; the first row only names the columns.</source>
        <translation>列从 1 开始编号；第一行只是列名。</translation>
    </message>
    <message>
        <source>“{destination}” could not be written: {reason}.</source>
        <translation>无法写入“{destination}”：{reason}。</translation>
    </message>
    <message>
        <source>The project was probably made by another version of Anaphora: export it with that version.</source>
        <translation>此项目可能由其他版本的 Anaphora 创建：请用该版本导出。</translation>
    </message>
    <message>
        <source>{count} translated segments have no place in the original document.</source>
        <translation>有 {count} 个已翻译的句段在原文档中找不到位置。</translation>
    </message>
    <message>
        <source>Split it into smaller documents.</source>
        <translation>请将其拆分为较小的文档。</translation>
    </message>
    <message>
        <source>The file has more than {limit} lines and marks of Markdown.</source>
        <translation>文件中的行和 Markdown 标记超过 {limit} 个。</translation>
    </message>
    <message>
        <source>Save it again in LibreOffice and open it again.</source>
        <translation>请在 LibreOffice 中重新保存，然后再打开。</translation>
    </message>
    <message>
        <source>The file is a package, but no OpenDocument text.</source>
        <translation>此文件是压缩包，但不是 OpenDocument 文本文档。</translation>
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
        <source>The part “{name}” of the file is written in an unusual way.</source>
        <translation>文件中的“{name}”部分写法异常。</translation>
    </message>
    <message>
        <source>The file is a package, but no {program}.</source>
        <translation>此文件是压缩包，但不是 {program}。</translation>
    </message>
    <message>
        <source>The file is an old .doc, .xls or .ppt document, or is protected by a password.</source>
        <translation>此文件是旧版 .doc、.xls 或 .ppt 文档，或受密码保护。</translation>
    </message>
    <message>
        <source>Open it in its own program and save it as .docx, .xlsx or .pptx without a password.</source>
        <translation>请用相应的程序打开，取消密码并另存为 .docx、.xlsx 或 .pptx。</translation>
    </message>
    <message>
        <source>The package would unpack to an unreasonable size.</source>
        <translation>此压缩包解压后的大小超出合理范围。</translation>
    </message>
    <message>
        <source>It may have been made to do harm: open it only if you trust its sender, and save it again.</source>
        <translation>它可能是恶意文件：仅在信任发送者时打开，并重新保存。</translation>
    </message>
    <message>
        <source>The package is protected by a password.</source>
        <translation>此压缩包受密码保护。</translation>
    </message>
    <message>
        <source>Split the document into smaller ones.</source>
        <translation>请将文档拆分为较小的文档。</translation>
    </message>
    <message>
        <source>The file is not a complete package.</source>
        <translation>此文件不是完整的压缩包。</translation>
    </message>
    <message>
        <source>It is probably damaged or cut off: get a fresh copy, or let a word processor repair it.</source>
        <translation>文件可能已损坏或不完整：请重新获取一份，或用文字处理软件修复。</translation>
    </message>
    <message>
        <source>The package's part “{name}” is too large.</source>
        <translation>压缩包中的“{name}”部分过大。</translation>
    </message>
    <message>
        <source>The package lacks its part “{name}”.</source>
        <translation>压缩包缺少“{name}”部分。</translation>
    </message>
    <message>
        <source>The package's part “{name}” is damaged.</source>
        <translation>压缩包中的“{name}”部分已损坏。</translation>
    </message>
    <message>
        <source>It is damaged or of another kind: check it with msgfmt.</source>
        <translation>文件已损坏或属于其他类型：请用 msgfmt 检查。</translation>
    </message>
    <message>
        <source>Line {number} is none of a gettext catalogue: “{text}”.</source>
        <translation>第 {number} 行不符合 gettext 目录的格式：“{text}”。</translation>
    </message>
    <message>
        <source>The catalogue is damaged or cut off: check it with msgfmt.</source>
        <translation>消息目录已损坏或不完整：请用 msgfmt 检查。</translation>
    </message>
    <message>
        <source>The message in line {line} has no msgstr.</source>
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
        <source>Choose a document in it.</source>
        <translation>请选择其中的一个文档。</translation>
    </message>
    <message>
        <source>Choose a document.</source>
        <translation>请选择一个文档。</translation>
    </message>
    <message>
        <source>It may have been moved or renamed: look for it.</source>
        <translation>它可能已被移动或重命名：请查找它的位置。</translation>
    </message>
    <message>
        <source>Ask its owner for permission to read it.</source>
        <translation>请向其所有者申请读取权限。</translation>
    </message>
    <message>
        <source>Check the drive or the network.</source>
        <translation>请检查驱动器或网络。</translation>
    </message>
    <message>
        <source>“{name}” is of a kind that cannot be opened.</source>
        <translation>无法打开“{name}”这种类型的文件。</translation>
    </message>
    <message>
        <source>Save it as one of these first: {names}.</source>
        <translation>请先将其另存为以下格式之一：{names}。</translation>
    </message>
    <message>
        <source>This project holds a document of the unknown format “{format_name}”.</source>
        <translation>此项目中有未知格式“{format_name}”的文档。</translation>
    </message>
    <message>
        <source>“{path}” is a folder.</source>
        <translation>“{path}”是文件夹。</translation>
    </message>
    <message>
        <source>“{path}” is a device or a pipe, no file.</source>
        <translation>“{path}”是设备或管道，不是文件。</translation>
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
        <source>“{path}” may not be read.</source>
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
        <source>What is kept of a paragraph cannot be read: {error}.</source>
        <translation>无法读取为此段落保存的内容：{error}。</translation>
    </message>
    <message>
        <source>No times of subtitles (00:00:01,000 --&gt; 00:00:02,000) were found in this file.</source>
        <translation>此文件中没有字幕时间（00:00:01,000 --&gt; 00:00:02,000）。</translation>
    </message>
    <message>
        <source>Check that it is a SubRip file; other subtitles have other names.</source>
        <translation>请确认它是 SubRip 字幕文件；其他字幕格式的扩展名不同。</translation>
    </message>
    <message>
        <source>Correct or reset the rules.</source>
        <translation>请更正或重置规则。</translation>
    </message>
    <message>
        <source>The sentence rules are too long to be rules.</source>
        <translation>断句规则过长，不可能是规则文件。</translation>
    </message>
    <message>
        <source>Choose another file.</source>
        <translation>请选择其他文件。</translation>
    </message>
    <message>
        <source>Sentence rules, line {line}: {what}.</source>
        <translation>断句规则第 {line} 行：{what}。</translation>
    </message>
    <message>
        <source>Sentence rules: {what}.</source>
        <translation>断句规则：{what}。</translation>
    </message>
    <message>
        <source>no language has any rules</source>
        <translation>没有任何语言的规则</translation>
    </message>
    <message>
        <source>the expression “{expression}” makes no sense ({reason})</source>
        <translation>表达式“{expression}”无效（{reason}）</translation>
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
        <source>the file does not hold SRX rules</source>
        <translation>文件中没有 SRX 规则</translation>
    </message>
    <message>
        <source>there are no rules with the name “{name}”</source>
        <translation>没有名为“{name}”的规则</translation>
    </message>
    <message>
        <source>The sentence rules take too long for this text.</source>
        <translation>断句规则处理这段文本耗时过长。</translation>
    </message>
    <message>
        <source>Simplify or reset them under Edit, Sentence rules.</source>
        <translation>请在“编辑 ▸ 断句规则”中简化或重置。</translation>
    </message>
    <message>
        <source>the file is not XML ({error})</source>
        <translation>文件不是 XML（{error}）</translation>
    </message>
    <message>
        <source>This is no translation memory: its outermost element is “{name}”.</source>
        <translation>这不是翻译记忆文件：其最外层元素是“{name}”。</translation>
    </message>
    <message>
        <source>This is no XLIFF file: its outermost element is “{name}”.</source>
        <translation>这不是 XLIFF 文件：其最外层元素是“{name}”。</translation>
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
        <source>{what} brings XML entities or a document type, which documents of this kind never do.</source>
        <translation>{what}带有 XML 实体或文档类型声明，而这类文档不应包含这些内容。</translation>
    </message>
    <message>
        <source>{what} is too large.</source>
        <translation>{what}过大。</translation>
    </message>
    <message>
        <source>It is damaged: let its own program repair it and save it again.</source>
        <translation>文件已损坏：请用相应的程序修复并重新保存。</translation>
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
        <source>It is damaged: let the program that made it save it again.</source>
        <translation>文件已损坏：请用创建它的程序重新保存。</translation>
    </message>
    <message>
        <source>Choose another name or folder.</source>
        <translation>请选择其他文件名或文件夹。</translation>
    </message>
    <message>
        <source>“{name}” is the original: the translation would replace it.</source>
        <translation>“{name}”是原文件：译文会将其覆盖。</translation>
    </message>
    <message>
        <source>Choose another one.</source>
        <translation>请另选一个。</translation>
    </message>
    <message>
        <source>The folder “{folder}” could not be made: {reason}.</source>
        <translation>无法创建文件夹“{folder}”：{reason}。</translation>
    </message>
    <message>
        <source>Choose another file name.</source>
        <translation>请选择其他文件名。</translation>
    </message>
    <message>
        <source>Make it, or choose another one.</source>
        <translation>请创建该文件夹，或另选一个。</translation>
    </message>
    <message>
        <source>“{name}” must end in “{suffix}”: a translation keeps its original's format.</source>
        <translation>“{name}”必须以“{suffix}”结尾：译文保持原文件的格式。</translation>
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
        <source>There is no document in “{name}” that can be opened.</source>
        <translation>“{name}”中没有可以打开的文档。</translation>
    </message>
    <message>
        <source>{message} {reasons}</source>
        <translation>{message} {reasons}</translation>
    </message>
    <message>
        <source>Reset or remove them.</source>
        <translation>请重置或删除这些规则。</translation>
    </message>
    <message>
        <source>The sentence rules in “{path}” cannot be read: {error}.</source>
        <translation>无法读取“{path}”中的断句规则：{error}。</translation>
    </message>
    <message>
        <source>The project “{name}” is of an older version and could not be backed up before being changed; it was left as it is. {reason}</source>
        <translation>项目“{name}”是旧版本，升级前无法备份，因此未作任何更改。{reason}</translation>
    </message>
    <message>
        <source>Open one of its backups, or move it away and open the original document again.</source>
        <translation>请打开它的某个备份，或将其移走后重新打开原文档。</translation>
    </message>
    <message>
        <source>Choose a file that Anaphora saved.</source>
        <translation>请选择由 Anaphora 保存的文件。</translation>
    </message>
    <message>
        <source>Install the newest version to open it; it was left as it is.</source>
        <translation>请安装最新版本后再打开；项目未作任何更改。</translation>
    </message>
    <message>
        <source>The project “{name}” is open in another window of Anaphora.</source>
        <translation>项目“{name}”已在另一个 Anaphora 窗口中打开。</translation>
    </message>
    <message>
        <source>Go on there, or close it and try again.</source>
        <translation>请在那个窗口中继续，或将其关闭后重试。</translation>
    </message>
    <message>
        <source>Copy it to a folder that you may write to.</source>
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
        <source>Free some space on the disk: a project needs a little while it is open.</source>
        <translation>请在磁盘上腾出一些空间：项目打开时需要占用少量空间。</translation>
    </message>
    <message>
        <source>The project “{path}” could not be saved or read: {error}.</source>
        <translation>无法保存或读取项目“{path}”：{error}。</translation>
    </message>
    <message>
        <source>The project “{path}” is damaged and was left as it is.</source>
        <translation>项目“{path}”已损坏，未作任何更改。</translation>
    </message>
    <message>
        <source>It may have been moved.</source>
        <translation>它可能已被移动。</translation>
    </message>
    <message>
        <source>Check its folder and rights.</source>
        <translation>请检查其文件夹和权限。</translation>
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
        <source>The project “{path}” cannot be written: it, or its folder, is read-only.</source>
        <translation>无法写入项目“{path}”：该文件或其文件夹为只读。</translation>
    </message>
    <message>
        <source>“{path}” is no file.</source>
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
        <source>It may have been removed: open it again.</source>
        <translation>它可能已被移除：请重新打开。</translation>
    </message>
    <message>
        <source>The project “{name}” has no document {document}.</source>
        <translation>项目“{name}”中没有文档 {document}。</translation>
    </message>
    <message>
        <source>Open it, or choose another name.</source>
        <translation>请直接打开它，或换一个名称。</translation>
    </message>
    <message>
        <source>A project keeps at least one document.</source>
        <translation>项目中至少要保留一个文档。</translation>
    </message>
    <message>
        <source>Close the project instead.</source>
        <translation>请改为关闭项目。</translation>
    </message>
    <message>
        <source>A project cannot be copied onto itself.</source>
        <translation>不能将项目复制到它自己。</translation>
    </message>
    <message>
        <source>Choose another name.</source>
        <translation>请换一个名称。</translation>
    </message>
    <message>
        <source>Put it back, or save the project under another name.</source>
        <translation>请将其放回原处，或将项目另存为其他名称。</translation>
    </message>
    <message>
        <source>The project “{path}” exists already.</source>
        <translation>项目“{path}”已存在。</translation>
    </message>
    <message>
        <source>It may have been replaced by another file: open the document again.</source>
        <translation>它可能已被其他文件替换：请重新打开文档。</translation>
    </message>
    <message>
        <source>Open the document again.</source>
        <translation>请重新打开文档。</translation>
    </message>
    <message>
        <source>The project “{path}” is not in its place any more: it was moved or deleted, or its drive was removed.</source>
        <translation>项目“{path}”已不在原处：它被移动或删除，或所在的驱动器已被移除。</translation>
    </message>
    <message>
        <source>Open it again.</source>
        <translation>请重新打开。</translation>
    </message>
    <message>
        <source>The project “{name}” has no segment {segment}; nothing was saved.</source>
        <translation>项目“{name}”中没有句段 {segment}；未保存任何内容。</translation>
    </message>
    <message>
        <source>The segments to be joined or split are not in the project “{name}”; nothing was saved.</source>
        <translation>要合并或拆分的句段不在项目“{name}”中；未保存任何内容。</translation>
    </message>
    <message>
        <source>The project “{name}” is closed.</source>
        <translation>项目“{name}”已关闭。</translation>
    </message>
    <message>
        <source>“{name}” has been open in this window since {when}.</source>
        <translation>“{name}”自 {when} 起一直在此窗口中打开。</translation>
    </message>
    <message>
        <source>“{name}” has been open in another window on this computer since {when}.</source>
        <translation>“{name}”自 {when} 起一直在本计算机的另一个窗口中打开。</translation>
    </message>
    <message>
        <source>{user} has had “{name}” open on the computer “{computer}” since {when}.</source>
        <translation>{user} 自 {when} 起一直在计算机“{computer}”上打开着“{name}”。</translation>
    </message>
    <message>
        <source>{user} has had “{name}” open on this computer since {when}.</source>
        <translation>{user} 自 {when} 起一直在本计算机上打开着“{name}”。</translation>
    </message>
    <message>
        <source>Somebody</source>
        <translation>某人</translation>
    </message>
    <message>
        <source>Try again when it is closed there.</source>
        <translation>请等那里关闭后重试。</translation>
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
        <source>Check the disk and your rights to its folder.</source>
        <translation>请检查磁盘以及您对其文件夹的权限。</translation>
    </message>
    <message>
        <source>Choose a folder that you may write to.</source>
        <translation>请选择您有写入权限的文件夹。</translation>
    </message>
    <message>
        <source>The medium is read-only: choose another folder.</source>
        <translation>存储介质是只读的：请选择其他文件夹。</translation>
    </message>
    <message>
        <source>The disk is full: free some space, or choose another disk.</source>
        <translation>磁盘已满：请释放空间或选择其他磁盘。</translation>
    </message>
    <message>
        <source>Your quota is used up: free some space, or choose another disk.</source>
        <translation>您的磁盘配额已用完：请释放空间或选择其他磁盘。</translation>
    </message>
    <message>
        <source>The folder does not exist: choose another one.</source>
        <translation>文件夹不存在：请另选一个。</translation>
    </message>
    <message>
        <source>A part of the path is a file, not a folder: choose another folder.</source>
        <translation>路径中有一部分是文件而不是文件夹：请选择其他文件夹。</translation>
    </message>
    <message>
        <source>A folder has this name: choose another file name.</source>
        <translation>已有同名的文件夹：请选择其他文件名。</translation>
    </message>
    <message>
        <source>The file name is too long: choose a shorter one.</source>
        <translation>文件名过长：请使用较短的文件名。</translation>
    </message>
    <message>
        <source>Try another folder.</source>
        <translation>请尝试其他文件夹。</translation>
    </message>
    <message>
        <source>A line break stands between these segments, so they cannot be joined.</source>
        <translation>这些句段之间有换行，无法合并。</translation>
    </message>
    <message>
        <source>Translate them one by one.</source>
        <translation>请分别翻译。</translation>
    </message>
    <message>
        <source>On one side of this place there is nothing to translate.</source>
        <translation>此处有一侧没有可翻译的内容。</translation>
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
        <source>Choose a place before or after it.</source>
        <translation>请选择格式之前或之后的位置。</translation>
    </message>
    <message>
        <source>The document's file gives other segments than the project holds.</source>
        <translation>文档的文件所得句段与项目中的不同。</translation>
    </message>
    <message>
        <source>The project was made by another version of Anaphora: its segments stay as they are.</source>
        <translation>项目由另一版本的 Anaphora 创建，其句段保持原样。</translation>
    </message>
    <message>
        <source>Nothing would change.</source>
        <translation>不会有任何变化。</translation>
    </message>
    <message>
        <source>No CUDA device is available: choose the CPU in the settings.</source>
        <translation>没有可用的 CUDA 设备：请在设置中选择 CPU。</translation>
    </message>
    <message>
        <source>{folder} was made by a newer version of Anaphora; update Anaphora to use it.</source>
        <translation>“{folder}”由较新版本的 Anaphora 生成；请更新 Anaphora 后再使用。</translation>
    </message>
    <message>
        <source>The names in {path} cannot be read ({reason}). Install the model again.</source>
        <translation>无法读取“{path}”中的人名和地名（{reason}）。请重新安装模型。</translation>
    </message>
    <message>
        <source>{folder} is already there; choose another folder.</source>
        <translation>“{folder}”已存在；请选择其他文件夹。</translation>
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
        <source>The vocabularies of the model in {folder} are cut off. Install it again or choose another one.</source>
        <translation>“{folder}”中模型的词表不完整。请重新安装该模型，或选择另一个模型。</translation>
    </message>
    <message>
        <source>The weights of the model's memories do not fit its configuration. Install the model again.</source>
        <translation>模型的记忆权重与其配置不符。请重新安装模型。</translation>
    </message>
    <message>
        <source>{path} cannot be unpacked ({reason}).</source>
        <translation>无法解压“{path}”（{reason}）。</translation>
    </message>
    <message>
        <source>{path} holds more than a model's archive does; it is not unpacked.</source>
        <translation>“{path}”的内容超出模型压缩包应有的大小，未解压。</translation>
    </message>
    <message>
        <source>{path} has an entry that no model's archive has ({name}); it is not unpacked.</source>
        <translation>“{path}”中有模型压缩包不应有的条目（{name}），未解压。</translation>
    </message>
    <message>
        <source>{file} is missing from the model in {folder}. Install the model again.</source>
        <translation>“{folder}”中的模型缺少 {file}。请重新安装该模型。</translation>
    </message>
    <message>
        <source>{file} is larger than such a file may be: {size} MB, and at most {most} MB are read.</source>
        <translation>{file} 超出此类文件应有的大小：{size} MB，最多读取 {most} MB。</translation>
    </message>
    <message>
        <source>{file} is damaged or cut off ({reason}). Install the model again or choose another one.</source>
        <translation>{file} 已损坏或不完整（{reason}）。请重新安装该模型或选择其他模型。</translation>
    </message>
    <message>
        <source>{path} holds several models; choose one of its folders: {names}.</source>
        <translation>“{path}”中有多个模型；请选择其中一个文件夹：{names}。</translation>
    </message>
    <message>
        <source>{path} holds no model that Anaphora can read. It reads {kinds}.</source>
        <translation>“{path}”中没有 Anaphora 能读取的模型。可读取的有：{kinds}。</translation>
    </message>
    <message>
        <source>{file} sets {name} to {value}; Anaphora does not know such models.</source>
        <translation>{file} 将 {name} 设为 {value}；Anaphora 不认识这样的模型。</translation>
    </message>
    <message>
        <source>{file} is no sentencepiece model; Anaphora does not read models that cut words differently.</source>
        <translation>{file} 不是 sentencepiece 模型；Anaphora 不读取以其他方式切分词语的模型。</translation>
    </message>
    <message>
        <source>“{name}” holds work on the same text, read from {path}.</source>
        <translation>“{name}”包含对相同文本的翻译，原文读自 {path}。</translation>
    </message>
    <message>
        <source>Open that project to go on with its work, or begin anew: that project then stays as it is.</source>
        <translation>打开该项目可继续其中的工作；重新开始则该项目保持不变。</translation>
    </message>
    <message>
        <source>The model in {folder} lacks {file}, the sentencepiece model that cuts text into pieces. Add the file, or choose another model; models with byte pairs (BPE) alone cannot be read.</source>
        <translation>{folder} 中的模型缺少 {file}，即把文本切分成词片的 sentencepiece 模型。请补上该文件，或选择其他模型；只带字节对编码 (BPE) 的模型无法读取。</translation>
    </message>
    <message>
        <source>{file} does not belong to the model's vocabulary, which has only {known} of its {count} pieces. Put the model's own file there, or choose another model.</source>
        <translation>{file} 与模型的词表不匹配：它的 {count} 个词片中，词表只有 {known} 个。请放入该模型自带的文件，或选择其他模型。</translation>
    </message>
    <message>
        <source>The model {name}, which this project uses, is not installed any more.</source>
        <translation>此项目使用的模型“{name}”已不在本机上。</translation>
    </message>
    <message>
        <source>Install it again, or choose another one in the menu Translate, Models.</source>
        <translation>请重新安装，或在菜单“翻译”的“模型”中选择其他模型。</translation>
    </message>
    <message>
        <source>{file} lacks the weights {name}.</source>
        <translation>{file} 缺少权重 {name}。</translation>
    </message>
    <message>
        <source>The weights {name} in {file} have the shape {found}; the settings say {expected}.</source>
        <translation>{file} 中权重 {name} 的形状为 {found}，而设置中为 {expected}。</translation>
    </message>
    <message>
        <source>{file} has weights that its settings do not explain: {names}.</source>
        <translation>{file} 中有其设置无法说明的权重：{names}。</translation>
    </message>
    <message>
        <source>{file} holds more than weights, or is damaged. It is not read, since it could run a program: look for the same model in the form of safetensors.</source>
        <translation>{file} 除权重外还有其他内容，或已损坏。由于可能运行程序，未予读取：请查找同一模型的 safetensors 版本。</translation>
    </message>
    <message>
        <source>The model in {folder} does not know the language {language}; it knows: {languages}.</source>
        <translation>“{folder}”中的模型不认识语言 {language}；它认识：{languages}。</translation>
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
        <source>{path} is not a readable topic model ({reason}). Install the model again.</source>
        <translation>“{path}”不是可读取的主题模型（{reason}）。请重新安装模型。</translation>
    </message>
    <message>
        <source>“{name}” holds no translations.</source>
        <translation>“{name}”不含译文。</translation>
    </message>
    <message>
        <source>Choose a translation memory (TMX), a PO or XLIFF file, or a project of Anaphora.</source>
        <translation>请选择翻译记忆（TMX）、PO 或 XLIFF 文件，或 Anaphora 项目。</translation>
    </message>
    <message>
        <source>“{name}” could not be read: {reason}.</source>
        <translation>无法读取“{name}”：{reason}。</translation>
    </message>
    <message>
        <source>Check that it is there and that you may read it.</source>
        <translation>请确认文件存在且您有权读取。</translation>
    </message>
    <message>
        <source>The project “{name}” was made by an early version of Anaphora.</source>
        <translation>项目“{name}”由 Anaphora 的早期版本创建。</translation>
    </message>
    <message>
        <source>Open it once, so that it is brought up to date, and try again.</source>
        <translation>请先打开一次使其更新，然后重试。</translation>
    </message>
    <message>
        <source>The translation memory is full: it cannot number more than {most} units.</source>
        <translation>翻译记忆已满：最多只能编号 {most} 个翻译单元。</translation>
    </message>
    <message>
        <source>Export it, and import what is still of use into a new one.</source>
        <translation>请将其导出，再把仍有用的内容导入新的翻译记忆。</translation>
    </message>
    <message>
        <source>The translation memory is closed.</source>
        <translation>翻译记忆已关闭。</translation>
    </message>
    <message>
        <source>Start Anaphora again.</source>
        <translation>请重新启动 Anaphora。</translation>
    </message>
    <message>
        <source>“{path}” is not a translation memory of Anaphora.</source>
        <translation>“{path}”不是 Anaphora 的翻译记忆。</translation>
    </message>
    <message>
        <source>Move it away: a new memory is made in its place.</source>
        <translation>请将其移走：系统会在原处新建翻译记忆。</translation>
    </message>
    <message>
        <source>The translation memory “{path}” was made by a newer version of Anaphora.</source>
        <translation>翻译记忆“{path}”由更新版本的 Anaphora 创建。</translation>
    </message>
    <message>
        <source>Install the newest version to use it; it was left as it is.</source>
        <translation>请安装最新版本再使用；文件未作改动。</translation>
    </message>
    <message>
        <source>The translation memory “{path}” cannot be used: {error}.</source>
        <translation>无法使用翻译记忆“{path}”：{error}。</translation>
    </message>
    <message>
        <source>Another window of Anaphora is writing into it: try again.</source>
        <translation>Anaphora 的另一个窗口正在写入：请重试。</translation>
    </message>
    <message>
        <source>Move it away: your projects fill a new one when they are opened.</source>
        <translation>请将其移走：打开项目时会重新填充新的翻译记忆。</translation>
    </message>
    <message>
        <source>“{path}” is not a term base of Anaphora.</source>
        <translation>“{path}”不是 Anaphora 的术语库。</translation>
    </message>
    <message>
        <source>Move it away: a new term base is made in its place.</source>
        <translation>请将其移走：会在原处新建一个术语库。</translation>
    </message>
    <message>
        <source>The term base “{path}” was made by a newer version of Anaphora.</source>
        <translation>术语库“{path}”由更新版本的 Anaphora 创建。</translation>
    </message>
    <message>
        <source>The term base “{path}” cannot be used: {error}.</source>
        <translation>无法使用术语库“{path}”：{error}。</translation>
    </message>
    <message>
        <source>Move it away, and import your terms into a new one.</source>
        <translation>请将其移走，再把术语导入新的术语库。</translation>
    </message>
    <message>
        <source>The term base is closed.</source>
        <translation>术语库已关闭。</translation>
    </message>
    <message>
        <source>A term needs a text in both languages, of at most {n} characters.</source>
        <translation>术语须有两种语言的文字，且不超过 {n} 个字符。</translation>
    </message>
    <message>
        <source>The term base has “{term}” already.</source>
        <translation>术语库中已有“{term}”。</translation>
    </message>
    <message>
        <source>Add the translation there, or name another domain.</source>
        <translation>请在该处添加译名，或填写其他领域。</translation>
    </message>
    <message>
        <source>Check that it is the file you meant.</source>
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
        <source>“{name}” is no table of terms: it has no two columns.</source>
        <translation>“{name}”不是术语表：没有两列。</translation>
    </message>
    <message>
        <source>Save it as CSV: a row for each term, with a column for each language.</source>
        <translation>请另存为 CSV：每条术语一行，每种语言一列。</translation>
    </message>
    <message>
        <source>The table is damaged near its row {row}.</source>
        <translation>表格在第 {row} 行附近已损坏。</translation>
    </message>
    <message>
        <source>Repair it in a spreadsheet and save it again.</source>
        <translation>请用电子表格软件修复后重新保存。</translation>
    </message>
    <message>
        <source>“{name}” holds no terms in both languages.</source>
        <translation>“{name}”中没有两种语言俱全的术语。</translation>
    </message>
    <message>
        <source>“{name}” is too large for a memory pack.</source>
        <translation>“{name}”过大，不是记忆包。</translation>
    </message>
    <message>
        <source>“{name}” is no memory pack.</source>
        <translation>“{name}”不是记忆包。</translation>
    </message>
    <message>
        <source>Choose a file that was exported as a memory pack.</source>
        <translation>请选择一个作为记忆包导出的文件。</translation>
    </message>
    <message>
        <source>Choose the file that was exported for review and has come back.</source>
        <translation>请选择导出供审校后返回的文件。</translation>
    </message>
    <message>
        <source>“{name}” holds no review table.</source>
        <translation>“{name}”中没有审校表格。</translation>
    </message>
    <message>
        <source>{path} belongs to another model. Fit it again, or remove it.</source>
        <translation>{path} 属于另一个模型。请重新拟合，或将其删除。</translation>
    </message>
    <message>
        <source>The words in {path} cannot be read ({reason}). Install the model again.</source>
        <translation>无法读取 {path} 中的词表（{reason}）。请重新安装模型。</translation>
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
        <source>The word “{word}” was not kept: {error}.</source>
        <translation>未能保存词语“{word}”：{error}。</translation>
    </message>
    <message>
        <source>It is wanted in {path}.</source>
        <translation>它应保存在 {path} 中。</translation>
    </message>
    <message>
        <source>{path} needs the words of the model, and {words} is missing. Install the model again.</source>
        <translation>“{path}”需要模型的词表，但缺少 {words}。请重新安装模型。</translation>
    </message>
    <message>
        <source>There is too little confirmed text in {name} to fit on: {pairs} segments are needed.</source>
        <translation>{name} 中已确认的译文太少，无法拟合：需要 {pairs} 个句段。</translation>
    </message>
    <message>
        <source>“{name}” is a file that Anaphora needs: it is not replaced.</source>
        <translation>“{name}”是 Anaphora 需要的文件：不会被替换。</translation>
    </message>
    <message>
        <source>Another document was just written to “{name}”.</source>
        <translation>另一个文档刚刚写入“{name}”。</translation>
    </message>
    <message>
        <source>Export it alone, under another name.</source>
        <translation>请将它单独导出为其他文件名。</translation>
    </message>
    <message>
        <source>it was made before the first version of Anaphora was released</source>
        <translation>它是在 Anaphora 首个版本发布之前创建的</translation>
    </message>
    <message>
        <source>it holds tables that Anaphora does not make</source>
        <translation>其中有并非 Anaphora 创建的表</translation>
    </message>
    <message>
        <source>to check it takes too long</source>
        <translation>检查耗时过长</translation>
    </message>
    <message>
        <source>it holds more than can be loaded</source>
        <translation>其内容超出可以载入的量</translation>
    </message>
    <message>
        <source>The project “{path}” is not opened and was left as it is: {reason}.</source>
        <translation>项目“{path}”未打开，保持原样：{reason}。</translation>
    </message>
    <message>
        <source>What can be read of its translations can be saved as a new project.</source>
        <translation>可以把其中能读取的译文保存为新项目。</translation>
    </message>
    <message>
        <source>Nothing of “{name}” can be read.</source>
        <translation>“{name}”中没有可以读取的内容。</translation>
    </message>
    <message>
        <source>Ask the sender for the project again, or open one of its backups.</source>
        <translation>请向来源处重新索取该项目，或打开它的某个备份。</translation>
    </message>
    <message>
        <source>“{name}” holds no translation, and there is no project of it.</source>
        <translation>“{name}”不含译文，也没有对应的项目。</translation>
    </message>
    <message>
        <source>Name its translation: anaphora check FILE --translation TRANSLATED</source>
        <translation>请指明其译文：anaphora check 文件 --translation 译文</translation>
    </message>
    <message>
        <source>“{one}” and “{other}” are not of the same kind.</source>
        <translation>“{one}”与“{other}”不是同一种文件。</translation>
    </message>
    <message>
        <source>Name a translation in the format of its document.</source>
        <translation>请指明与原文档格式相同的译文。</translation>
    </message>
    <message>
        <source>“{one}” has {ours} paragraphs, “{other}” {theirs}: they cannot be told apart.</source>
        <translation>“{one}”有 {ours} 段，“{other}”有 {theirs} 段：无法逐段对应。</translation>
    </message>
    <message>
        <source>Check a bilingual file instead, such as XLIFF.</source>
        <translation>请改为检查双语文件，例如 XLIFF。</translation>
    </message>
    <message>
        <source>Confirmed text</source>
        <translation>已确认的译文</translation>
    </message>
    <message>
        <source>Continuous cache</source>
        <translation>连续缓存</translation>
    </message>
    <message>
        <source>Dynamic and topic caches</source>
        <translation>动态缓存与主题缓存</translation>
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
        <source>Only one folder of a storage is translated at a time.</source>
        <translation>一次只能翻译存储中的一个文件夹。</translation>
    </message>
    <message>
        <source>Run the command once for each.</source>
        <translation>请对每个文件夹分别运行该命令。</translation>
    </message>
    <message>
        <source>“{address}” could not be reached: {reason}.</source>
        <translation>无法访问“{address}”：{reason}。</translation>
    </message>
    <message>
        <source>Check the address and what is needed to log in.</source>
        <translation>请检查地址和登录所需的信息。</translation>
    </message>
    <message>
        <source>“{address}” cannot be reached without a package: {reason}.</source>
        <translation>缺少软件包，无法访问“{address}”：{reason}。</translation>
    </message>
    <message>
        <source>Install anaphora[s3] for addresses of S3; for others anaphora[cluster] and the package that is named. An installed program takes none: use Anaphora from source.</source>
        <translation>S3 地址请安装 anaphora[s3]；其他地址请安装 anaphora[cluster] 和所指出的软件包。已安装的程序无法添加软件包：请从源代码使用 Anaphora。</translation>
    </message>
    <message>
        <source>Ray, which is needed to use several machines, is not installed: {reason}.</source>
        <translation>使用多台计算机需要 Ray，但它尚未安装：{reason}。</translation>
    </message>
    <message>
        <source>Install anaphora[cluster] on each of them. Ray is made for Linux and macOS, and not for every version of Python.</source>
        <translation>请在每台计算机上安装 anaphora[cluster]。Ray 支持 Linux 和 macOS，但并非支持所有 Python 版本。</translation>
    </message>
    <message>
        <source>There is no Ray cluster at “{address}”: {reason}.</source>
        <translation>“{address}”处没有 Ray 集群：{reason}。</translation>
    </message>
    <message>
        <source>The Ray cluster at “{address}” cannot be used: {reason}.</source>
        <translation>“{address}”处的 Ray 集群无法使用：{reason}。</translation>
    </message>
    <message>
        <source>Install the same versions of Python, Ray and Anaphora on each machine.</source>
        <translation>请在每台计算机上安装相同版本的 Python、Ray 和 Anaphora。</translation>
    </message>
    <message>
        <source>Start one with `ray start --head`, or use “local”, which starts one for this run alone.</source>
        <translation>请用 `ray start --head` 启动一个集群，或使用“local”，它只为本次运行启动集群。</translation>
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
        <source>“{destination}” is what is to be translated.</source>
        <translation>“{destination}”正是要翻译的内容。</translation>
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
        <source>Name a folder.</source>
        <translation>请指定一个文件夹。</translation>
    </message>
    <message>
        <source>The folder “{destination}” is not empty.</source>
        <translation>文件夹“{destination}”不是空的。</translation>
    </message>
    <message>
        <source>Go on with it by --resume, or choose another folder.</source>
        <translation>请用 --resume 继续，或选择另一个文件夹。</translation>
    </message>
    <message>
        <source>Choose a new one.</source>
        <translation>请选择一个新文件夹。</translation>
    </message>
    <message>
        <source>The size of a file in the list is malformed.</source>
        <translation>列表中某个文件的大小有误。</translation>
    </message>
    <message>
        <source>“{name}” cannot be the name of a model file.</source>
        <translation>“{name}”不能作为模型文件的名称。</translation>
    </message>
    <message>
        <source>There are: {names}.</source>
        <translation>现有：{names}。</translation>
    </message>
    <message>
        <source>No model {name} is offered.</source>
        <translation>没有提供模型 {name}。</translation>
    </message>
    <message>
        <source>There is no model {name} here.</source>
        <translation>这里没有模型 {name}。</translation>
    </message>
    <message>
        <source>There are several models {name} here.</source>
        <translation>这里有多个名为 {name} 的模型。</translation>
    </message>
    <message>
        <source>It cannot be removed ({reason}).</source>
        <translation>无法移除（{reason}）。</translation>
    </message>
    <message>
        <source>{name} on the server is not the file that the list names.</source>
        <translation>服务器上的 {name} 不是列表所指的文件。</translation>
    </message>
    <message>
        <source>Free some space first.</source>
        <translation>请先腾出一些空间。</translation>
    </message>
    <message>
        <source>The disk of {folder} has {free} MB of room; {needed} MB are needed.</source>
        <translation>{folder} 所在磁盘剩余 {free} MB；需要 {needed} MB。</translation>
    </message>
    <message>
        <source>A newer version of Anaphora may know how.</source>
        <translation>较新版本的 Anaphora 也许可以。</translation>
    </message>
    <message>
        <source>{name} is not offered any more.</source>
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
        <source>Enter them in the proxy's address: HTTPS_PROXY=http://NAME:PASSWORD@HOST:PORT.</source>
        <translation>请将其写入代理地址：HTTPS_PROXY=http://NAME:PASSWORD@HOST:PORT。</translation>
    </message>
    <message>
        <source>{host} did not answer with a file ({status}).</source>
        <translation>{host} 的答复不是文件（{status}）。</translation>
    </message>
    <message>
        <source>See the system's proxy settings, or the variable HTTPS_PROXY.</source>
        <translation>请检查系统的代理设置或变量 HTTPS_PROXY。</translation>
    </message>
    <message>
        <source>Try again; see whether there is a network.</source>
        <translation>请重试，并检查网络是否可用。</translation>
    </message>
    <message>
        <source>Nothing was fetched. Check the date and time, and whether your network inspects connections.</source>
        <translation>未获取任何内容。请检查本机的日期和时间，以及您的网络是否审查加密连接。</translation>
    </message>
    <message>
        <source>See whether there is a network, and whether a firewall or proxy is in the way.</source>
        <translation>请检查网络是否可用，以及是否有防火墙或代理阻挡。</translation>
    </message>
    <message>
        <source>The connection to {host} broke off ({reason}).</source>
        <translation>与 {host} 的连接中断了（{reason}）。</translation>
    </message>
    <message>
        <source>Only addresses that begin with https:// are.</source>
        <translation>只有以 https:// 开头的地址才是。</translation>
    </message>
    <message>
        <source>The proxy wants a name and a password ({status}).</source>
        <translation>代理要求用户名和密码（{status}）。</translation>
    </message>
    <message>
        <source>{host} does not have it any more ({status}).</source>
        <translation>{host} 上已没有它（{status}）。</translation>
    </message>
    <message>
        <source>{host} is overloaded or out of order ({status}).</source>
        <translation>{host} 过载或发生故障（{status}）。</translation>
    </message>
    <message>
        <source>The proxy cannot be used ({reason}).</source>
        <translation>无法使用代理（{reason}）。</translation>
    </message>
    <message>
        <source>{host} does not answer.</source>
        <translation>{host} 没有答复。</translation>
    </message>
    <message>
        <source>The certificate of {host} is not to be trusted ({reason}).</source>
        <translation>{host} 的证书不可信（{reason}）。</translation>
    </message>
    <message>
        <source>{host} cannot be reached ({reason}).</source>
        <translation>无法连接 {host}（{reason}）。</translation>
    </message>
    <message>
        <source>{address} is no secure address, so nothing is fetched from it.</source>
        <translation>{address} 不是安全地址，因此不从中获取任何内容。</translation>
    </message>
    <message>
        <source>There is no list at {address} ({reason}).</source>
        <translation>{address} 的内容不是列表（{reason}）。</translation>
    </message>
    <message>
        <source>The list at {address} is too long.</source>
        <translation>{address} 的内容过长，不是列表。</translation>
    </message>
    <message>
        <source>Line {line} of the file is not valid {kind}: “{text}”.</source>
        <translation>文件第 {line} 行不是有效的 {kind}：“{text}”。</translation>
    </message>
    <message>
        <source>It is damaged, cut off or of another kind: repair it in a text editor.</source>
        <translation>文件已损坏、被截断，或属于其他类型：请用文本编辑器修复。</translation>
    </message>
    <message>
        <source>This is no WebVTT file: its first line is not “WEBVTT”.</source>
        <translation>这不是 WebVTT 文件：第一行不是“WEBVTT”。</translation>
    </message>
    <message>
        <source>Check that it is the file you meant; other subtitles have other names.</source>
        <translation>请确认选对了文件；其他字幕格式使用其他扩展名。</translation>
    </message>
    <message>
        <source>This is no {kind}: its outermost element is “{name}”.</source>
        <translation>这不是 {kind}：其最外层元素是“{name}”。</translation>
    </message>
    <message>
        <source>Check that it is the file you meant; other files with this ending cannot be translated.</source>
        <translation>请确认选对了文件；使用此扩展名的其他文件无法翻译。</translation>
    </message>
    <message>
        <source>This is no file of Qt's translations: it has no element “TS”.</source>
        <translation>这不是 Qt 翻译文件：其中没有“TS”元素。</translation>
    </message>
    <message>
        <source>Check that it is the file you meant; TypeScript and films have the same ending.</source>
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
        <source>This is no String Catalog: it names no strings or no source language.</source>
        <translation>这不是 String Catalog：其中没有字符串或没有源语言。</translation>
    </message>
    <message>
        <source>Check that it is the file you meant; Xcode shows what is in it.</source>
        <translation>请确认选对了文件；可用 Xcode 查看其内容。</translation>
    </message>
    <message>
        <source>It was cancelled.</source>
        <translation>已取消。</translation>
    </message>
    <message>
        <source>Nothing was changed.</source>
        <translation>未作任何更改。</translation>
    </message>
    <message>
        <source>--translation goes with one FILE.</source>
        <translation>--translation 只能与一个 FILE 一起使用。</translation>
    </message>
    <message>
        <source>Check them one after the other.</source>
        <translation>请逐个检查。</translation>
    </message>
    <message>
        <source>Only one of “{path}” and “{other}” is a folder.</source>
        <translation>“{path}”和“{other}”中只有一个是文件夹。</translation>
    </message>
    <message>
        <source>Name two files, or two folders.</source>
        <translation>请指定两个文件，或两个文件夹。</translation>
    </message>
    <message>
        <source>There is no bilingual file and no project in “{path}”.</source>
        <translation>“{path}”中没有双语文件，也没有项目。</translation>
    </message>
    <message>
        <source>For documents, name the folder of their translations, too: --translation OUT</source>
        <translation>对于文档，还要指定其译文所在的文件夹：--translation OUT</translation>
    </message>
    <message>
        <source>The table has a cell that is too long.</source>
        <translation>表格中有一个单元格过长。</translation>
    </message>
    <message>
        <source>Shorten it or take it out.</source>
        <translation>请缩短或删除它。</translation>
    </message>
    <message>
        <source>Install LibreOffice (libreoffice.org), or save the file as {suffix} first.</source>
        <translation>请安装 LibreOffice（libreoffice.org），或先将文件另存为 {suffix}。</translation>
    </message>
    <message>
        <source>The file is not of the kind that {suffix} stands for.</source>
        <translation>该文件并非 {suffix} 所表示的类型。</translation>
    </message>
    <message>
        <source>Its suffix may be wrong, or it is damaged: open it in the program that made it.</source>
        <translation>可能是扩展名有误或文件已损坏：请用创建它的程序打开。</translation>
    </message>
    <message>
        <source>It is read by LibreOffice, which is not installed here.</source>
        <translation>它由 LibreOffice 读取，而此处没有安装 LibreOffice。</translation>
    </message>
    <message>
        <source>LibreOffice cannot convert it.</source>
        <translation>LibreOffice 无法转换它。</translation>
    </message>
    <message>
        <source>Open it in LibreOffice or Word to see what is wrong: it may be damaged, or need a password.</source>
        <translation>请在 LibreOffice 或 Word 中打开它查看问题：文件可能已损坏，或需要密码。</translation>
    </message>
    <message>
        <source>LibreOffice could not be started: {reason}.</source>
        <translation>无法启动 LibreOffice：{reason}。</translation>
    </message>
    <message>
        <source>Make room on the disk of temporary files, or reinstall LibreOffice.</source>
        <translation>请在临时文件所在磁盘上腾出空间，或重新安装 LibreOffice。</translation>
    </message>
    <message>
        <source>LibreOffice did not convert it within {seconds} seconds.</source>
        <translation>LibreOffice 未能在 {seconds} 秒内完成转换。</translation>
    </message>
    <message>
        <source>Save it in a newer format in LibreOffice or Word, and open that.</source>
        <translation>请在 LibreOffice 或 Word 中将其另存为较新的格式，然后打开该文件。</translation>
    </message>
    <message>
        <source>Blocks of HTML stay as they are; so many hold words to translate: {count}.</source>
        <translation>HTML 块保持原样；其中含有待译文字的：{count} 处。</translation>
    </message>
    <message>
        <source>{count} passages could not be taken apart and stay as they are (lines {lines}).</source>
        <translation>{count} 处无法解析，保持原样（第 {lines} 行）。</translation>
    </message>
    <message>
        <source>Code and formulas stay as they are; so many hold words to translate: {count}.</source>
        <translation>代码和公式保持原样；其中含有待译文字的：{count} 处。</translation>
    </message>
    <message>
        <source>Code of templates stays as it is; so many places of it hold words to translate: {count}.</source>
        <translation>模板代码保持原样；其中含有待译文字的：{count} 处。</translation>
    </message>
    <message>
        <source>Dates and numbers that Word computes stay as they are; so many show words: {count}.</source>
        <translation>由 Word 计算的日期和编号保持原样；其中显示文字的：{count} 处。</translation>
    </message>
    <message>
        <source>Formulas keep their words: {count}.</source>
        <translation>公式保留其中的文字：{count} 处。</translation>
    </message>
    <message>
        <source>Fields that the program fills stay as they are; so many show words: {count}.</source>
        <translation>由程序填写的字段保持原样；其中显示文字的：{count} 处。</translation>
    </message>
    <message>
        <source>Forms keep their labels: {count}.</source>
        <translation>表单保留原来的标签：{count} 处。</translation>
    </message>
    <message>
        <source>Formats of numbers and dates keep their words: {count}.</source>
        <translation>数字和日期格式保留其中的文字：{count} 处。</translation>
    </message>
    <message>
        <source>Charts keep the words of the tables behind them, which show when their data is edited: {count}.</source>
        <translation>图表背后的数据表保留原来的文字，编辑图表数据时会显示出来：{count} 个。</translation>
    </message>
    <message>
        <source>Dates and other fields that PowerPoint computes stay as they are; so many show words: {count}.</source>
        <translation>由 PowerPoint 计算的日期等字段保持原样；其中显示文字的：{count} 处。</translation>
    </message>
    <message>
        <source>Formulas stay as they are; so many hold words to translate: {count}. Where one compares them with a cell's text, change the formula in Excel.</source>
        <translation>公式保持原样；其中含有待译文字的：{count} 处。如果公式将这些文字与单元格的内容比较，请在 Excel 中修改公式。</translation>
    </message>
    <message>
        <source>Sheets keep their names, because formulas build references from words.</source>
        <translation>工作表保留原名，因为有公式用文字拼出引用。</translation>
    </message>
    <message>
        <source>Pivot tables show the old words until they are refreshed in Excel.</source>
        <translation>数据透视表在 Excel 中刷新之前仍显示原来的文字。</translation>
    </message>
    <message>
        <source>Scripts and styles stay as they are; so many hold words to translate: {count}.</source>
        <translation>脚本和样式保持原样；其中含有待译文字的：{count} 处。</translation>
    </message>
    <message>
        <source>Columns of the table that are translated: {names}.</source>
        <translation>表格中要翻译的列：{names}。</translation>
    </message>
    <message>
        <source>Columns of the table that hold the translations: {names}.</source>
        <translation>表格中存放译文的列：{names}。</translation>
    </message>
    <message>
        <source>{count} of {all} units have no text in the source language ({language}).</source>
        <translation>{all} 个单元中有 {count} 个没有源语言（{language}）的文字。</translation>
    </message>
    <message>
        <source>Texts within markup (sub) stay as they are: {count}.</source>
        <translation>标记内的文字（sub）保持原样：{count} 处。</translation>
    </message>
    <message>
        <source>The disk does not answer, so the project could not be changed.</source>
        <translation>磁盘没有响应，因此无法更改项目。</translation>
    </message>
    <message>
        <source>Open it again once the disk answers.</source>
        <translation>请在磁盘恢复响应后重新打开。</translation>
    </message>
    <message>
        <source>Plural forms, devices and arguments that the translation's language does not have in the file are not offered: {count}. Add them in Xcode (Vary by Plural), and read the file again.</source>
        <translation>文件中译文语言没有的复数形式、设备和参数变体不会列出：{count} 处。请在 Xcode 中添加（Vary by Plural），然后重新读取文件。</translation>
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
        <translation>Gettext 目录</translation>
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
        <translation>翻译记忆</translation>
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
        <translation>Apple 字符串目录</translation>
    </message>
    <message>
        <source>Qt translations</source>
        <translation>Qt 翻译</translation>
    </message>
    <message>
        <source>Rich Text (by LibreOffice)</source>
        <translation>RTF 文档（由 LibreOffice 转换）</translation>
    </message>
    <message>
        <source>Word 97 document (by LibreOffice)</source>
        <translation>Word 97 文档（由 LibreOffice 转换）</translation>
    </message>
    <message>
        <source>PowerPoint 97 presentation (by LibreOffice)</source>
        <translation>PowerPoint 97 演示文稿（由 LibreOffice 转换）</translation>
    </message>
    <message>
        <source>Excel 97 workbook (by LibreOffice)</source>
        <translation>Excel 97 工作簿（由 LibreOffice 转换）</translation>
    </message>
    <message>
        <source>OpenDocument presentation (by LibreOffice)</source>
        <translation>OpenDocument 演示文稿（由 LibreOffice 转换）</translation>
    </message>
    <message>
        <source>OpenDocument spreadsheet (by LibreOffice)</source>
        <translation>OpenDocument 电子表格（由 LibreOffice 转换）</translation>
    </message>
    <message>
        <source>See anaphora models list.</source>
        <translation>请用 anaphora models list 查看可下载的模型。</translation>
    </message>
    <message>
        <source>The columns of “{name}” are not certain.</source>
        <translation>无法确定“{name}”各列的内容。</translation>
    </message>
    <message>
        <source>Name them in the first row: source, target, usage, note.</source>
        <translation>请在第一行写明列名：source（原文）、target（译文）、usage（用法）、note（备注）。</translation>
    </message>
</context>
</TS>
