<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>AboutDialog</name>
    <message>
        <source>About Anaphora</source>
        <translation>关于 Anaphora</translation>
    </message>
    <message>
        <source>A translation editor that remembers what was said before.</source>
        <translation>记得上文的翻译编辑器。</translation>
    </message>
    <message>
        <source>Anaphora is free software under the Apache License 2.0. It works offline.</source>
        <translation>Anaphora 是自由软件，以 Apache License 2.0 许可发布，可完全离线使用。</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Made with</source>
        <translation>使用的开源组件</translation>
    </message>
    <message>
        <source>Card of the model</source>
        <translation>模型说明</translation>
    </message>
</context>
<context>
    <name>Actions</name>
    <message>
        <source>Re&amp;sume drafting</source>
        <translation>继续生成草稿(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Pause drafting</source>
        <translation>暂停生成草稿(&amp;P)</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>&amp;Open…</source>
        <translation>打开(&amp;O)…</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Open the &amp;sample</source>
        <translation>打开示例文档(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Export translation…</source>
        <translation>导出译文(&amp;E)…</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>&amp;Close document</source>
        <translation>关闭文档(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>退出(&amp;Q)</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>撤销(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>重做(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Find…</source>
        <translation>查找(&amp;F)…</translation>
    </message>
    <message>
        <source>Find and &amp;replace…</source>
        <translation>查找和替换(&amp;E)…</translation>
    </message>
    <message>
        <source>Find &amp;next</source>
        <translation>查找下一个(&amp;N)</translation>
    </message>
    <message>
        <source>Find &amp;previous</source>
        <translation>查找上一个(&amp;P)</translation>
    </message>
    <message>
        <source>C&amp;oncordance</source>
        <translation>语境检索(&amp;O)</translation>
    </message>
    <message>
        <source>&amp;Go to segment…</source>
        <translation>转到句段(&amp;G)…</translation>
    </message>
    <message>
        <source>&amp;Larger text</source>
        <translation>放大文字(&amp;B)</translation>
    </message>
    <message>
        <source>S&amp;maller text</source>
        <translation>缩小文字(&amp;M)</translation>
    </message>
    <message>
        <source>&amp;Keyboard shortcuts…</source>
        <translation>键盘快捷键(&amp;K)…</translation>
    </message>
    <message>
        <source>Take suggestion &amp;{0}</source>
        <translation>采用建议 &amp;{0}</translation>
    </message>
    <message>
        <source>&amp;About Anaphora</source>
        <translation>关于 Anaphora(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Confirm and go on</source>
        <translation>确认并转到下一句段(&amp;C)</translation>
    </message>
    <message>
        <source>Confirm</source>
        <translation>确认</translation>
    </message>
    <message>
        <source>Confirm and go to the next &amp;unconfirmed</source>
        <translation>确认并转到下一未确认句段(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Take back the confirmation</source>
        <translation>取消确认(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Previous segment</source>
        <translation>上一句段(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Next segment</source>
        <translation>下一句段(&amp;N)</translation>
    </message>
    <message>
        <source>Next &amp;inconsistent segment</source>
        <translation>下一处译法不一致(&amp;I)</translation>
    </message>
    <message>
        <source>Next segment to &amp;check</source>
        <translation>下一个待检查句段(&amp;H)</translation>
    </message>
    <message>
        <source>Copy the &amp;source</source>
        <translation>复制原文到译文(&amp;S)</translation>
    </message>
    <message>
        <source>Clear the t&amp;ranslation</source>
        <translation>清空译文(&amp;R)</translation>
    </message>
    <message>
        <source>Translate this segment &amp;again</source>
        <translation>重新翻译此句段(&amp;A)</translation>
    </message>
    <message>
        <source>Translate again</source>
        <translation>重新翻译</translation>
    </message>
    <message>
        <source>Explain the previous &amp;word</source>
        <translation>解释上一个词(&amp;W)</translation>
    </message>
    <message>
        <source>Explain the next w&amp;ord</source>
        <translation>解释下一个词(&amp;O)</translation>
    </message>
    <message>
        <source>&amp;Cancel drafting</source>
        <translation>取消生成草稿(&amp;C)</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>&amp;Draft the rest</source>
        <translation>为其余句段生成草稿(&amp;D)</translation>
    </message>
</context>
<context>
    <name>ConcordancePanel</name>
    <message>
        <source>Words in source or translation</source>
        <translation>原文或译文中的词语</translation>
    </message>
    <message>
        <source>Occurrences</source>
        <translation>出现之处</translation>
    </message>
    <message>
        <source>No.</source>
        <translation>编号</translation>
    </message>
    <message>
        <source>Chinese</source>
        <translation>中文</translation>
    </message>
    <message>
        <source>English</source>
        <translation>英文</translation>
    </message>
    <message>
        <source>the first {0} of {1} segments</source>
        <translation>前 {0} 个，共 {1} 个句段</translation>
    </message>
    <message>
        <source>{0} segments</source>
        <translation>{0} 个句段</translation>
    </message>
    <message>
        <source>No translated segment has these words</source>
        <translation>没有已译句段包含这些词语</translation>
    </message>
</context>
<context>
    <name>ConsistencyPanel</name>
    <message>
        <source>Only terms with several renderings</source>
        <translation>只显示有多种译法的术语</translation>
    </message>
    <message>
        <source>Term</source>
        <translation>术语</translation>
    </message>
    <message>
        <source>Count</source>
        <translation>次数</translation>
    </message>
    <message>
        <source>Recurring terms</source>
        <translation>重复出现的术语</translation>
    </message>
    <message>
        <source>Previous occurrence</source>
        <translation>上一处</translation>
    </message>
    <message>
        <source>Next occurrence</source>
        <translation>下一处</translation>
    </message>
    <message>
        <source>Use everywhere…</source>
        <translation>统一译法…</translation>
    </message>
    <message>
        <source>Use this rendering in all unconfirmed segments, after a preview</source>
        <translation>预览后，在所有未确认的句段中使用这一译法</translation>
    </message>
    <message>
        <source>No recurring terms have been found yet.</source>
        <translation>尚未发现重复出现的术语。</translation>
    </message>
    <message>
        <source>{0} recurring terms, {1} with more than one rendering.</source>
        <translation>重复出现的术语共 {0} 个，其中 {1} 个有多种译法。</translation>
    </message>
    <message>
        <source>{0} renderings</source>
        <translation>{0} 种译法</translation>
    </message>
    <message>
        <source>Written as {0}. Click to step through.</source>
        <translation>写作：{0}。点击可逐处查看。</translation>
    </message>
</context>
<context>
    <name>DeviceMenu</name>
    <message>
        <source>&amp;Automatic</source>
        <translation>自动(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;CPU</source>
        <translation>&amp;CPU</translation>
    </message>
    <message>
        <source>&amp;GPU (CUDA)</source>
        <translation>&amp;GPU (CUDA)</translation>
    </message>
    <message>
        <source>The compute device changes when Anaphora starts the next time.</source>
        <translation>计算设备将在下次启动 Anaphora 时更改。</translation>
    </message>
</context>
<context>
    <name>Docks</name>
    <message>
        <source>Memory</source>
        <translation>记忆</translation>
    </message>
    <message>
        <source>Topic</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>Terms</source>
        <translation>术语</translation>
    </message>
    <message>
        <source>Suggestions</source>
        <translation>建议</translation>
    </message>
    <message>
        <source>Concordance</source>
        <translation>语境检索</translation>
    </message>
    <message>
        <source>Why this word</source>
        <translation>译词依据</translation>
    </message>
</context>
<context>
    <name>DocumentController</name>
    <message>
        <source>Opening</source>
        <translation>正在打开</translation>
    </message>
    <message>
        <source>Another document is being opened.</source>
        <translation>正在打开另一个文档。</translation>
    </message>
    <message>
        <source>Try again.</source>
        <translation>请重试。</translation>
    </message>
    <message>
        <source>{0} cannot be opened</source>
        <translation>无法打开 {0}</translation>
    </message>
    <message>
        <source>The translation cannot be exported</source>
        <translation>无法导出译文</translation>
    </message>
    <message>
        <source>Nothing has been changed.</source>
        <translation>未作任何更改。</translation>
    </message>
</context>
<context>
    <name>Editing</name>
    <message>
        <source>typing</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>confirming</source>
        <translation>确认</translation>
    </message>
    <message>
        <source>taking back a confirmation</source>
        <translation>取消确认</translation>
    </message>
    <message>
        <source>copying the source</source>
        <translation>复制原文</translation>
    </message>
    <message>
        <source>clearing</source>
        <translation>清空译文</translation>
    </message>
    <message>
        <source>translating again</source>
        <translation>重新翻译</translation>
    </message>
    <message>
        <source>using one rendering</source>
        <translation>统一译法</translation>
    </message>
</context>
<context>
    <name>Effect</name>
    <message>
        <source>It raised the word&apos;s log-probability by {0}.</source>
        <translation>使该词的对数概率提高了 {0}。</translation>
    </message>
    <message>
        <source>It lowered the word&apos;s log-probability by {0}.</source>
        <translation>使该词的对数概率降低了 {0}。</translation>
    </message>
</context>
<context>
    <name>FileChoosers</name>
    <message>
        <source>Open &amp;recent</source>
        <translation>最近打开的文档(&amp;R)</translation>
    </message>
    <message>
        <source>Documents ({0})</source>
        <translation>文档 ({0})</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>所有文件 (*)</translation>
    </message>
    <message>
        <source>Open a document</source>
        <translation>打开文档</translation>
    </message>
    <message>
        <source>Export translation ({0} of {1} segments translated)</source>
        <translation>导出译文（已翻译 {0}/{1} 个句段）</translation>
    </message>
    <message>
        <source>No recent documents</source>
        <translation>没有最近打开的文档</translation>
    </message>
</context>
<context>
    <name>FindBar</name>
    <message>
        <source>Find in source and translation</source>
        <translation>在原文和译文中查找</translation>
    </message>
    <message>
        <source>Replace in translations with</source>
        <translation>将译文替换为</translation>
    </message>
    <message>
        <source>Match case</source>
        <translation>区分大小写</translation>
    </message>
    <message>
        <source>Regular expression</source>
        <translation>正则表达式</translation>
    </message>
    <message>
        <source>Previous hit</source>
        <translation>上一处匹配</translation>
    </message>
    <message>
        <source>Next hit</source>
        <translation>下一处匹配</translation>
    </message>
    <message>
        <source>Close (Esc)</source>
        <translation>关闭 (Esc)</translation>
    </message>
    <message>
        <source>Replace</source>
        <translation>替换</translation>
    </message>
    <message>
        <source>Replace all</source>
        <translation>全部替换</translation>
    </message>
</context>
<context>
    <name>Finder</name>
    <message>
        <source>No hits</source>
        <translation>未找到</translation>
    </message>
    <message>
        <source>{0} of {1} segments</source>
        <translation>第 {0} 个，共 {1} 个句段</translation>
    </message>
    <message>
        <source>{0} segments</source>
        <translation>{0} 个句段</translation>
    </message>
    <message>
        <source>{0} segments changed</source>
        <translation>已更改 {0} 个句段</translation>
    </message>
    <message>
        <source>replacing</source>
        <translation>替换</translation>
    </message>
</context>
<context>
    <name>GoToDialog</name>
    <message>
        <source>Go to segment</source>
        <translation>转到句段</translation>
    </message>
    <message>
        <source>Segment number</source>
        <translation>句段编号</translation>
    </message>
    <message>
        <source>Segment number (1 to {0}):</source>
        <translation>句段编号（1 至 {0}）：</translation>
    </message>
</context>
<context>
    <name>Keymap</name>
    <message>
        <source>{0} is needed to write. Take a key with Ctrl or Alt, or a function key.</source>
        <translation>{0} 用于输入文字。请改用带 Ctrl 或 Alt 的组合键，或功能键。</translation>
    </message>
    <message>
        <source>{0} already belongs to “{1}”. Choose another key, or change that one first.</source>
        <translation>{0} 已分配给“{1}”。请另选一个键，或先更改该操作的快捷键。</translation>
    </message>
    <message>
        <source>{0} now belongs to “{1}”. Change that one first.</source>
        <translation>{0} 现已分配给“{1}”。请先更改该操作的快捷键。</translation>
    </message>
</context>
<context>
    <name>MainWindow</name>
    <message>
        <source>Exported to {0}</source>
        <translation>已导出到 {0}</translation>
    </message>
    <message>
        <source>Opening {0}…</source>
        <translation>正在打开 {0}…</translation>
    </message>
    <message>
        <source>There is no translation model: {0} You can still edit and export.</source>
        <translation>没有可用的翻译模型：{0} 仍可编辑和导出。</translation>
    </message>
    <message>
        <source>Your work is kept in the window and saving is tried again. Export it to be safe.</source>
        <translation>您的工作仍保留在窗口中，程序会再次尝试保存。为保险起见，请先导出译文。</translation>
    </message>
    <message>
        <source>Your changes cannot be saved</source>
        <translation>无法保存更改</translation>
    </message>
    <message>
        <source>Your last changes are not saved</source>
        <translation>最近的更改尚未保存</translation>
    </message>
    <message>
        <source>Export the translation, or free some space, before you close.</source>
        <translation>关闭之前，请导出译文或清理磁盘空间。</translation>
    </message>
    <message>
        <source>Close without saving</source>
        <translation>不保存直接关闭</translation>
    </message>
</context>
<context>
    <name>MemoryPanel</name>
    <message>
        <source>Word</source>
        <translation>词</translation>
    </message>
    <message>
        <source>From</source>
        <translation>来自</translation>
    </message>
    <message>
        <source>Used</source>
        <translation>上次</translation>
    </message>
    <message>
        <source>Match</source>
        <translation>匹配</translation>
    </message>
    <message>
        <source>Effect</source>
        <translation>影响</translation>
    </message>
    <message>
        <source>Memory slots</source>
        <translation>记忆槽</translation>
    </message>
    <message>
        <source>Nothing is remembered before this segment yet.</source>
        <translation>此句段之前还没有记忆。</translation>
    </message>
    <message>
        <source>How well each word matched “{0}”, and what it did for its log-probability.</source>
        <translation>各词与“{0}”的匹配程度，以及对其对数概率的影响。</translation>
    </message>
    <message>
        <source>{0} words remembered before this segment. Select an output word.</source>
        <translation>此句段之前记住了 {0} 个词。请选择一个译词。</translation>
    </message>
    <message>
        <source>now</source>
        <translation>当前</translation>
    </message>
    <message>
        <source>{0} ago</source>
        <translation>{0} 句前</translation>
    </message>
    <message>
        <source>“{0}” was written by segment {1}. Click to go there.</source>
        <translation>“{0}”由第 {1} 句段写入。点击可跳转。</translation>
    </message>
    <message>
        <source>You confirmed it.</source>
        <translation>您已确认。</translation>
    </message>
</context>
<context>
    <name>Menus</name>
    <message>
        <source>Toolbar</source>
        <translation>工具栏</translation>
    </message>
    <message>
        <source>&amp;Document</source>
        <translation>文档(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>编辑(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;Segment</source>
        <translation>句段(&amp;S)</translation>
    </message>
    <message>
        <source>Ta&amp;ke a suggestion</source>
        <translation>采用建议(&amp;K)</translation>
    </message>
    <message>
        <source>&amp;Translate</source>
        <translation>翻译(&amp;T)</translation>
    </message>
    <message>
        <source>Compute &amp;device</source>
        <translation>计算设备(&amp;V)</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>视图(&amp;V)</translation>
    </message>
    <message>
        <source>&amp;Colours</source>
        <translation>配色(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Language</source>
        <translation>语言(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>帮助(&amp;H)</translation>
    </message>
    <message>
        <source>Follow the &amp;system</source>
        <translation>跟随系统(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Light</source>
        <translation>浅色(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Dark</source>
        <translation>深色(&amp;D)</translation>
    </message>
</context>
<context>
    <name>Quality</name>
    <message>
        <source>The translation is empty.</source>
        <translation>译文为空。</translation>
    </message>
    <message>
        <source>The translation is the same as the source.</source>
        <translation>译文与原文相同。</translation>
    </message>
    <message>
        <source>The tag {0} is missing.</source>
        <translation>缺少标记 {0}。</translation>
    </message>
    <message>
        <source>The tag {0} is there too often.</source>
        <translation>标记 {0} 出现次数过多。</translation>
    </message>
    <message>
        <source>The source has no tag {0}.</source>
        <translation>原文中没有标记 {0}。</translation>
    </message>
    <message>
        <source>The tags are out of order: a pair closes before it opens, or two pairs cross.</source>
        <translation>标记顺序有误：结束标记先于开始标记，或两对标记交叉。</translation>
    </message>
    <message>
        <source>The address {0} is missing.</source>
        <translation>缺少网址 {0}。</translation>
    </message>
    <message>
        <source>The number {0} is missing.</source>
        <translation>缺少数字 {0}。</translation>
    </message>
    <message>
        <source>The number {0} is not in the source.</source>
        <translation>原文中没有数字 {0}。</translation>
    </message>
    <message>
        <source>Chinese text is left: “{0}”.</source>
        <translation>译文中残留中文：“{0}”。</translation>
    </message>
</context>
<context>
    <name>RenderingPreview</name>
    <message>
        <source>Use one rendering</source>
        <translation>统一译法</translation>
    </message>
    <message>
        <source>“{0}” becomes “{1}” in these segments. Confirmed segments are never changed.</source>
        <translation>将下列句段中的“{0}”改为“{1}”。已确认的句段不会更改。</translation>
    </message>
    <message>
        <source>Changes</source>
        <translation>更改</translation>
    </message>
    <message>
        <source>No.</source>
        <translation>编号</translation>
    </message>
    <message>
        <source>Now</source>
        <translation>更改前</translation>
    </message>
    <message>
        <source>Then</source>
        <translation>更改后</translation>
    </message>
    <message>
        <source>Change {0} segments</source>
        <translation>更改 {0} 个句段</translation>
    </message>
</context>
<context>
    <name>SegmentCommands</name>
    <message>
        <source>Everything is confirmed.</source>
        <translation>所有句段均已确认。</translation>
    </message>
    <message>
        <source>No term has more than one rendering.</source>
        <translation>没有译法不一致的术语。</translation>
    </message>
    <message>
        <source>The checks have found nothing.</source>
        <translation>检查未发现问题。</translation>
    </message>
    <message>
        <source>No unconfirmed segment needs to be changed.</source>
        <translation>没有需要更改的未确认句段。</translation>
    </message>
    <message>
        <source>There is no translation to confirm yet.</source>
        <translation>尚无可确认的译文。</translation>
    </message>
    <message>
        <source>{0} segments changed</source>
        <translation>已更改 {0} 个句段</translation>
    </message>
</context>
<context>
    <name>SegmentEditor</name>
    <message>
        <source>Translation of the current segment</source>
        <translation>当前句段的译文</translation>
    </message>
</context>
<context>
    <name>SegmentModel</name>
    <message>
        <source>No.</source>
        <translation>编号</translation>
    </message>
    <message>
        <source>Chinese</source>
        <translation>中文</translation>
    </message>
    <message>
        <source>English</source>
        <translation>英文</translation>
    </message>
    <message>
        <source>Status</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Not started</source>
        <translation>未开始</translation>
    </message>
    <message>
        <source>Machine draft</source>
        <translation>机器草稿</translation>
    </message>
    <message>
        <source>Edited</source>
        <translation>已编辑</translation>
    </message>
    <message>
        <source>Confirmed</source>
        <translation>已确认</translation>
    </message>
    <message>
        <source>Locked</source>
        <translation>已锁定</translation>
    </message>
    <message>
        <source>Segment {0}, {1}</source>
        <translation>句段 {0}，{1}</translation>
    </message>
    <message>
        <source>A term here has more than one rendering in this document.</source>
        <translation>此处有术语在本文档中存在多种译法。</translation>
    </message>
</context>
<context>
    <name>SegmentTable</name>
    <message>
        <source>Segments</source>
        <translation>句段</translation>
    </message>
</context>
<context>
    <name>ShortcutsDialog</name>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>键盘快捷键</translation>
    </message>
    <message>
        <source>Set of keys</source>
        <translation>快捷键方案</translation>
    </message>
    <message>
        <source>New key of the selected action</source>
        <translation>所选操作的新快捷键</translation>
    </message>
    <message>
        <source>&amp;Remove</source>
        <translation>移除(&amp;R)</translation>
    </message>
    <message>
        <source>Restore &amp;default</source>
        <translation>恢复默认(&amp;D)</translation>
    </message>
    <message>
        <source>Actions and their keys</source>
        <translation>操作及其快捷键</translation>
    </message>
    <message>
        <source>Action</source>
        <translation>操作</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>快捷键</translation>
    </message>
    <message>
        <source>&amp;Keys as in:</source>
        <translation>快捷键方案(&amp;K)：</translation>
    </message>
    <message>
        <source>&amp;New key:</source>
        <translation>新快捷键(&amp;N)：</translation>
    </message>
    <message>
        <source>Press the new key in the field. What you have changed is shown in bold.</source>
        <translation>请在输入框中按下新的快捷键。您更改过的以粗体显示。</translation>
    </message>
    <message>
        <source>no key</source>
        <translation>无</translation>
    </message>
    <message>
        <source>“{0}” now has: {1}</source>
        <translation>“{0}”的快捷键现为：{1}</translation>
    </message>
</context>
<context>
    <name>StartPage</name>
    <message>
        <source>Open a document…</source>
        <translation>打开文档…</translation>
    </message>
    <message>
        <source>Open the sample</source>
        <translation>打开示例文档</translation>
    </message>
    <message>
        <source>Recent documents</source>
        <translation>最近的文档</translation>
    </message>
    <message>
        <source>Opening {0}…</source>
        <translation>正在打开 {0}…</translation>
    </message>
    <message>
        <source>or drop a .docx, .md or .txt file here</source>
        <translation>或将 .docx、.md 或 .txt 文件拖放到此处</translation>
    </message>
    <message>
        <source>Translates Chinese documents into English, remembering what was said before.</source>
        <translation>将中文文档译成英文，并记住上文的译法。</translation>
    </message>
</context>
<context>
    <name>StatusLine</name>
    <message>
        <source>Engine</source>
        <translation>引擎</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>进度</translation>
    </message>
    <message>
        <source>Drafting</source>
        <translation>正在生成草稿</translation>
    </message>
    <message>
        <source>Loading the model…</source>
        <translation>正在加载模型…</translation>
    </message>
    <message>
        <source>{0} threads</source>
        <translation>{0} 个线程</translation>
    </message>
    <message>
        <source>1 thread</source>
        <translation>1 个线程</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Memories of this model: {0}</source>
        <translation>此模型的记忆：{0}</translation>
    </message>
    <message>
        <source>No model</source>
        <translation>无模型</translation>
    </message>
    <message>
        <source>Rebuilding the memory: {0} of {1}</source>
        <translation>正在重建记忆：{0}/{1}</translation>
    </message>
    <message>
        <source>{0} of {1} segments</source>
        <translation>{0}/{1} 个句段</translation>
    </message>
    <message>
        <source>paused</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <source>refreshing drafts</source>
        <translation>正在刷新草稿</translation>
    </message>
    <message>
        <source>{0} words/s</source>
        <translation>{0} 词/秒</translation>
    </message>
    <message>
        <source>{0} left</source>
        <translation>剩余 {0}</translation>
    </message>
    <message>
        <source>Saved</source>
        <translation>已保存</translation>
    </message>
    <message>
        <source>Saving…</source>
        <translation>正在保存…</translation>
    </message>
    <message>
        <source>Not saved</source>
        <translation>未保存</translation>
    </message>
    <message>
        <source>{0} s</source>
        <translation>{0} 秒</translation>
    </message>
    <message>
        <source>{0} min</source>
        <translation>{0} 分钟</translation>
    </message>
    <message>
        <source>{0} h {1} min</source>
        <translation>{0} 小时 {1} 分钟</translation>
    </message>
</context>
<context>
    <name>Suggester</name>
    <message>
        <source>There is no translation model to make suggestions.</source>
        <translation>没有可提供建议的翻译模型。</translation>
    </message>
    <message>
        <source>This segment is locked.</source>
        <translation>此句段已锁定。</translation>
    </message>
    <message>
        <source>There are only {0} suggestions.</source>
        <translation>只有 {0} 条建议。</translation>
    </message>
    <message>
        <source>taking a suggestion</source>
        <translation>采用建议</translation>
    </message>
</context>
<context>
    <name>SuggestionsPanel</name>
    <message>
        <source>Suggestions for the current segment</source>
        <translation>当前句段的建议</translation>
    </message>
    <message>
        <source>Suggestions are being worked out…</source>
        <translation>正在生成建议…</translation>
    </message>
    <message>
        <source>Press a key, or double-click, to take a suggestion.</source>
        <translation>按快捷键或双击即可采用建议。</translation>
    </message>
    <message>
        <source>There are no suggestions for this segment.</source>
        <translation>此句段没有建议。</translation>
    </message>
    <message>
        <source>Suggestion {0}: {1}</source>
        <translation>建议 {0}：{1}</translation>
    </message>
</context>
<context>
    <name>TopicPanel</name>
    <message>
        <source>Topic words</source>
        <translation>主题词</translation>
    </message>
    <message>
        <source>Weight</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>Recent words</source>
        <translation>近期词</translation>
    </message>
    <message>
        <source>Age</source>
        <translation>距今</translation>
    </message>
    <message>
        <source>Topic of the document</source>
        <translation>文档主题</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>占比</translation>
    </message>
    <message>
        <source>Not known yet</source>
        <translation>尚未确定</translation>
    </message>
    <message>
        <source>No words are cached before this segment yet.</source>
        <translation>此句段之前还没有缓存的词。</translation>
    </message>
    <message>
        <source>now</source>
        <translation>当前</translation>
    </message>
    <message>
        <source>{0} ago</source>
        <translation>{0} 句前</translation>
    </message>
    <message>
        <source>This sentence uses it.</source>
        <translation>本句使用了该词。</translation>
    </message>
    <message>
        <source>This sentence does not use it.</source>
        <translation>本句未使用该词。</translation>
    </message>
</context>
<context>
    <name>WhyPanel</name>
    <message>
        <source>Memory slots by output words</source>
        <translation>记忆槽与译词的匹配</translation>
    </message>
    <message>
        <source>Source words by output words</source>
        <translation>原文词与译词的注意力</translation>
    </message>
    <message>
        <source>Word</source>
        <translation>译词</translation>
    </message>
    <message>
        <source>Memory × words</source>
        <translation>记忆 × 译词</translation>
    </message>
    <message>
        <source>Source × words</source>
        <translation>原文 × 译词</translation>
    </message>
    <message>
        <source>Working it out…</source>
        <translation>正在计算…</translation>
    </message>
    <message>
        <source>Certainty</source>
        <translation>置信度</translation>
    </message>
    <message>
        <source>Probability of this word, as decoded</source>
        <translation>解码时该词的概率</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>记忆</translation>
    </message>
    <message>
        <source>Share of the continuous cache in the state (λ)</source>
        <translation>连续缓存在状态中的占比 (λ)</translation>
    </message>
    <message>
        <source>Cached</source>
        <translation>缓存词</translation>
    </message>
    <message>
        <source>Share of the topic and recent words in the probability (1 − α)</source>
        <translation>主题词和近期词在概率中的占比 (1 − α)</translation>
    </message>
    <message>
        <source>Slot</source>
        <translation>记忆槽</translation>
    </message>
    <message>
        <source>From</source>
        <translation>来自</translation>
    </message>
    <message>
        <source>Match</source>
        <translation>匹配</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>占比</translation>
    </message>
    <message>
        <source>Effect</source>
        <translation>影响</translation>
    </message>
    <message>
        <source>Click a word of the translation, or press Alt+→, to see where it comes from.</source>
        <translation>点击译文中的词，或按 Alt+→，查看其来源。</translation>
    </message>
    <message>
        <source>&lt;b&gt;{0}&lt;/b&gt; looked at these source words</source>
        <translation>&lt;b&gt;{0}&lt;/b&gt; 关注的原文词</translation>
    </message>
    <message>
        <source>topic</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>new</source>
        <translation>近期</translation>
    </message>
    <message>
        <source>The memory holds nothing that this sentence matched.</source>
        <translation>记忆中没有与本句匹配的内容。</translation>
    </message>
    <message>
        <source>match</source>
        <translation>匹配</translation>
    </message>
    <message>
        <source>attention</source>
        <translation>注意力</translation>
    </message>
    <message>
        <source>There is nothing to show.</source>
        <translation>没有可显示的内容。</translation>
    </message>
</context>
<context>
    <name>WindowState</name>
    <message>
        <source>Language</source>
        <translation>界面语言</translation>
    </message>
    <message>
        <source>The language changes when Anaphora starts the next time.</source>
        <translation>界面语言将在下次启动 Anaphora 时更改。</translation>
    </message>
</context>
</TS>
