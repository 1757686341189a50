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
        <source>Anaphora is free software under the Apache License 2.0. It works offline.</source>
        <translation>Anaphora 是自由软件，基于 Apache License 2.0 许可证发布，可以离线使用。</translation>
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
        <source>Model card</source>
        <translation>模型说明</translation>
    </message>
    <message>
        <source>1 thread</source>
        <translation>1 个线程</translation>
    </message>
    <message>
        <source>native library ({0})</source>
        <translation>原生库（{0}）</translation>
    </message>
    <message>
        <source>{0} threads</source>
        <translation>{0} 个线程</translation>
    </message>
    <message>
        <source>Memory features of this model: {0}</source>
        <translation>此模型的记忆功能：{0}</translation>
    </message>
    <message>
        <source>A translation editor that remembers the document.</source>
        <translation>能记住整个文档的翻译编辑器。</translation>
    </message>
</context>
<context>
    <name>Tabs</name>
    <message>
        <source>Documents</source>
        <translation>文档</translation>
    </message>
    <message>
        <source>Ne&amp;xt document</source>
        <translation>下一个文档(&amp;X)</translation>
    </message>
    <message>
        <source>Previous doc&amp;ument</source>
        <translation>上一个文档(&amp;U)</translation>
    </message>
</context>
<context>
    <name>ActiveCard</name>
    <message>
        <source>Segment {0}, {1}</source>
        <translation>句段 {0}，{1}</translation>
    </message>
    <message>
        <source>Confirm</source>
        <translation>确认</translation>
    </message>
    <message>
        <source>Source of segment {0}</source>
        <translation>句段 {0} 的原文</translation>
    </message>
    <message>
        <source>Translation of segment {0}, {1}</source>
        <translation>句段 {0} 的译文，{1}</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>下一句段</translation>
    </message>
    <message>
        <source>Tentative: {0}</source>
        <translation>仅供参考：{0}</translation>
    </message>
    <message>
        <source>{0} more.</source>
        <translation>另有 {0} 条。</translation>
    </message>
</context>
<context>
    <name>BackupsDialog</name>
    <message>
        <source>Backups of {0}</source>
        <translation>{0} 的备份</translation>
    </message>
    <message>
        <source>Open a copy</source>
        <translation>打开副本</translation>
    </message>
    <message>
        <source>Backups</source>
        <translation>备份</translation>
    </message>
    <message>
        <source>Confirmed</source>
        <translation>已确认</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Documents</source>
        <translation>文档</translation>
    </message>
    <message>
        <source>cannot be read</source>
        <translation>无法读取</translation>
    </message>
    <message>
        <source>{0} of {1}</source>
        <translation>{0} / {1} 个句段</translation>
    </message>
    <message>
        <source>A backup opens as a separate copy. The open project does not change.</source>
        <translation>备份会作为单独的副本打开，当前打开的项目不变。</translation>
    </message>
    <message>
        <source>Created</source>
        <translation>备份时间</translation>
    </message>
    <message>
        <source>No backups yet. Anaphora makes one when you open the project and then every ten minutes while you make changes.</source>
        <translation>还没有备份。打开项目时会自动备份，之后只要有更改，每十分钟备份一次。</translation>
    </message>
</context>
<context>
    <name>ChangeLines</name>
    <message>
        <source>because {0} is no longer confirmed</source>
        <translation>因为{0} 已取消确认</translation>
    </message>
    <message>
        <source>Changes in the draft</source>
        <translation>草稿中的更改</translation>
    </message>
    <message>
        <source>after you confirmed {0}</source>
        <translation>您确认{0} 之后</translation>
    </message>
    <message>
        <source>segment {0}</source>
        <translation>句段 {0}</translation>
    </message>
</context>
<context>
    <name>ConcordancePanel</name>
    <message>
        <source>Words in source or translation</source>
        <translation>原文或译文中的词语</translation>
    </message>
    <message>
        <source>No.</source>
        <translation>编号</translation>
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
        <source>shared translation memory</source>
        <translation>共享记忆库</translation>
    </message>
    <message>
        <source>project's translation memory</source>
        <translation>项目记忆库</translation>
    </message>
    <message>
        <source>the first {0} in translation memories</source>
        <translation>翻译记忆库中的前 {0} 条</translation>
    </message>
    <message>
        <source>{0} in translation memories</source>
        <translation>翻译记忆库中 {0} 条</translation>
    </message>
    <message>
        <source>1 segment</source>
        <translation>1 个句段</translation>
    </message>
    <message>
        <source>Matches</source>
        <translation>匹配</translation>
    </message>
    <message>
        <source>No translated segment contains these words</source>
        <translation>没有包含这些词语的已译句段</translation>
    </message>
</context>
<context>
    <name>ConsistencyPanel</name>
    <message>
        <source>Only terms with several translations</source>
        <translation>只显示有多个译名的术语</translation>
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
        <source>Use everywhere…</source>
        <translation>统一译名…</translation>
    </message>
    <message>
        <source>No recurring terms have been found yet.</source>
        <translation>尚未发现重复出现的术语。</translation>
    </message>
    <message>
        <source>Recurring terms: {0} ({1} with several translations)</source>
        <translation>重复出现的术语：{0} 个，其中 {1} 个有多个译名</translation>
    </message>
    <message>
        <source>{0} translations</source>
        <translation>{0} 个译名</translation>
    </message>
    <message>
        <source>Forms: {0}. Click to go to the next segment.</source>
        <translation>写法：{0}。点击可逐个转到所在句段。</translation>
    </message>
    <message>
        <source>Translation</source>
        <translation>译名</translation>
    </message>
    <message>
        <source>Add all translations of this term to the project's term base</source>
        <translation>将该术语的所有译名加入项目术语库</translation>
    </message>
    <message>
        <source>term base</source>
        <translation>术语库</translation>
    </message>
    <message>
        <source>confirmed</source>
        <translation>已确认</translation>
    </message>
    <message>
        <source>draft</source>
        <translation>草稿</translation>
    </message>
    <message>
        <source>Allow all</source>
        <translation>全部允许</translation>
    </message>
    <message>
        <source>Translation of the term</source>
        <translation>术语的译名</translation>
    </message>
    <message>
        <source>Rewrites all segments that use another translation. A preview shows the changes first.</source>
        <translation>改写所有使用其他译名的句段，更改前可预览。</translation>
    </message>
    <message>
        <source>Origin</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>Use:</source>
        <translation>译为：</translation>
    </message>
    <message>
        <source>suggested</source>
        <translation>建议</translation>
    </message>
</context>
<context>
    <name>ContextRail</name>
    <message>
        <source>Suggestions, terms and the effect of the document memory appear here.</source>
        <translation>此处显示建议和术语，以及文档记忆对草稿的影响。</translation>
    </message>
</context>
<context>
    <name>GuideDialog</name>
    <message>
        <source>Guide</source>
        <translation>使用指南</translation>
    </message>
    <message>
        <source>Search the guide</source>
        <translation>搜索指南</translation>
    </message>
    <message>
        <source>Pages</source>
        <translation>页面</translation>
    </message>
    <message>
        <source>Page</source>
        <translation>正文</translation>
    </message>
    <message>
        <source>The guide does not mention “{0}”.</source>
        <translation>指南中没有“{0}”。</translation>
    </message>
</context>
<context>
    <name>ProblemReportDialog</name>
    <message>
        <source>Report a problem</source>
        <translation>报告问题</translation>
    </message>
    <message>
        <source>Report</source>
        <translation>报告</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>复制(&amp;C)</translation>
    </message>
    <message>
        <source>The log is empty.</source>
        <translation>日志为空。</translation>
    </message>
    <message>
        <source>&amp;Include log messages (they may contain file names and document text)</source>
        <translation>包含日志消息（其中可能有文件名和文档内容）(&amp;I)</translation>
    </message>
    <message>
        <source>Copy this report, add a description of the problem, and send both to your support contact. Anaphora sends nothing.</source>
        <translation>请复制此报告，附上问题描述，一并发送给为您提供支持的人。Anaphora 不会发送任何内容。</translation>
    </message>
</context>
<context>
    <name>SegmentWords</name>
    <message>
        <source>This segment is locked.</source>
        <translation>此句段已锁定。</translation>
    </message>
</context>
<context>
    <name>DictionaryLines</name>
    <message>
        <source>Words in the dictionary</source>
        <translation>词典中的词</translation>
    </message>
    <message>
        <source>in the draft</source>
        <translation>已用于草稿</translation>
    </message>
</context>
<context>
    <name>Docks</name>
    <message>
        <source>Current segment</source>
        <translation>当前句段</translation>
    </message>
</context>
<context>
    <name>CurrentProject</name>
    <message>
        <source>No backup could be made</source>
        <translation>无法创建备份</translation>
    </message>
    <message>
        <source>Nothing was changed.</source>
        <translation>未作任何更改。</translation>
    </message>
</context>
<context>
    <name>DocumentsPanel</name>
    <message>
        <source>{0}% confirmed · words: {1}</source>
        <translation>已确认 {0}% · {1} 字</translation>
    </message>
    <message>
        <source>Documents</source>
        <translation>文档</translation>
    </message>
    <message>
        <source>Add documents…</source>
        <translation>添加文档…</translation>
    </message>
    <message>
        <source>Remove the document from the project…</source>
        <translation>从项目中移除文档…</translation>
    </message>
    <message>
        <source>{0}: {1} of {2} confirmed</source>
        <translation>{0}：已确认 {1} / {2} 个句段</translation>
    </message>
</context>
<context>
    <name>DraftingService</name>
    <message>
        <source>This segment contains no text in the model's source language.</source>
        <translation>此句段中没有源语言的文字，模型无法翻译。</translation>
    </message>
</context>
<context>
    <name>Duration</name>
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
        <source>using one translation everywhere</source>
        <translation>统一译名</translation>
    </message>
    <message>
        <source>joining segments</source>
        <translation>合并句段</translation>
    </message>
    <message>
        <source>splitting a segment</source>
        <translation>拆分句段</translation>
    </message>
    <message>
        <source>{0}: segment {1}</source>
        <translation>{0}：句段 {1}</translation>
    </message>
    <message>
        <source>Undo: {0}</source>
        <translation>撤销：{0}</translation>
    </message>
    <message>
        <source>Redo: {0}</source>
        <translation>重做：{0}</translation>
    </message>
    <message>
        <source>unconfirming</source>
        <translation>取消确认</translation>
    </message>
    <message>
        <source>approving</source>
        <translation>批准</translation>
    </message>
    <message>
        <source>unapproving</source>
        <translation>取消批准</translation>
    </message>
</context>
<context>
    <name>Effect</name>
    <message>
        <source>segment {0}</source>
        <translation>句段 {0}</translation>
    </message>
    <message>
        <source>translation memory match {0}</source>
        <translation>翻译记忆库匹配 {0}</translation>
    </message>
    <message>
        <source>memory pack segment {0}</source>
        <translation>记忆包句段 {0}</translation>
    </message>
    <message>
        <source>decisive</source>
        <translation>决定性</translation>
    </message>
    <message>
        <source>positive</source>
        <translation>正面</translation>
    </message>
    <message>
        <source>negative</source>
        <translation>负面</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Without “{0}”, “{1}” would not be the most likely word here.</source>
        <translation>如果没有“{0}”，“{1}”就不会是这里最可能的词。</translation>
    </message>
    <message>
        <source>“{0}” had no effect on “{1}”.</source>
        <translation>“{0}”对“{1}”没有影响。</translation>
    </message>
    <message>
        <source>“{0}” made “{1}” more likely.</source>
        <translation>“{0}”提高了“{1}”出现的可能性。</translation>
    </message>
    <message>
        <source>“{0}” made “{1}” less likely.</source>
        <translation>“{0}”降低了“{1}”出现的可能性。</translation>
    </message>
</context>
<context>
    <name>EngineWorker</name>
    <message>
        <source>The GPU is out of memory. Drafts are now made on the CPU, which is slower.</source>
        <translation>显存已用尽，草稿改由 CPU 生成，速度较慢。</translation>
    </message>
    <message>
        <source>The translation engine could not finish a task because of an unexpected error. Try again. For details, see Help ▸ Report a problem….</source>
        <translation>翻译引擎因意外错误未能完成一项任务。请重试。详情见“帮助 ▸ 报告问题…”。</translation>
    </message>
    <message>
        <source>This computer is out of memory. Close other programs or documents and try again.</source>
        <translation>本机内存不足。请关闭其他程序或文档后重试。</translation>
    </message>
    <message>
        <source>This segment could not be drafted because of an unexpected error. Try “Translate this segment again”. For details, see Help ▸ Report a problem….</source>
        <translation>发生意外错误，无法为此句段生成草稿。请用“重新翻译此句段”重试。详情见“帮助 ▸ 报告问题…”。</translation>
    </message>
</context>
<context>
    <name>Exporting</name>
    <message>
        <source>The translation cannot be exported</source>
        <translation>无法导出译文</translation>
    </message>
</context>
<context>
    <name>FileChoosers</name>
    <message>
        <source>Open &amp;recent</source>
        <translation>最近打开的文档(&amp;R)</translation>
    </message>
    <message>
        <source>New project from a folder</source>
        <translation>从文件夹新建项目</translation>
    </message>
    <message>
        <source>Add documents</source>
        <translation>添加文档</translation>
    </message>
    <message>
        <source>Save project as</source>
        <translation>项目另存为</translation>
    </message>
    <message>
        <source>Projects (*{0})</source>
        <translation>项目 (*{0})</translation>
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
        <source>No recent documents</source>
        <translation>没有最近打开的文档</translation>
    </message>
</context>
<context>
    <name>FilterChips</name>
    <message>
        <source>All</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>Unconfirmed</source>
        <translation>未确认</translation>
    </message>
    <message>
        <source>Changed</source>
        <translation>已更改</translation>
    </message>
    <message>
        <source>Issues</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>Low confidence</source>
        <translation>低置信度</translation>
    </message>
    <message>
        <source>Drafts that have changed since you saw them</source>
        <translation>您上次查看之后有更改的草稿</translation>
    </message>
    <message>
        <source>Drafts that the model is unsure about</source>
        <translation>模型不太确定的草稿</translation>
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
        <source>With comments</source>
        <translation>有批注</translation>
    </message>
    <message>
        <source>Locked</source>
        <translation>已锁定</translation>
    </message>
    <message>
        <source>Drafts probably too poor to edit. Press Tab to use one anyway.</source>
        <translation>质量很可能太差、不值得修改的草稿。如仍要采用，请按 Tab。</translation>
    </message>
    <message>
        <source>Tentative</source>
        <translation>仅供参考</translation>
    </message>
    <message>
        <source>Approved</source>
        <translation>已批准</translation>
    </message>
    <message>
        <source>Confirmed, not approved</source>
        <translation>已确认，未批准</translation>
    </message>
</context>
<context>
    <name>FilterController</name>
    <message>
        <source>Segments shown: {0}</source>
        <translation>显示 {0} 个句段</translation>
    </message>
    <message>
        <source>No drafts have changed since you saw them.</source>
        <translation>您上次查看之后，草稿没有更改。</translation>
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
        <translation>在译文中替换为</translation>
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
        <source>Close (Esc)</source>
        <translation>关闭 (Esc)</translation>
    </message>
    <message>
        <source>Replace</source>
        <translation>替换</translation>
    </message>
    <message>
        <source>Replace all…</source>
        <translation>全部替换…</translation>
    </message>
    <message>
        <source>Whole words</source>
        <translation>全词匹配</translation>
    </message>
    <message>
        <source>Include confirmed segments</source>
        <translation>包括已确认的句段</translation>
    </message>
    <message>
        <source>Next match</source>
        <translation>下一处匹配</translation>
    </message>
    <message>
        <source>Previous match</source>
        <translation>上一处匹配</translation>
    </message>
    <message>
        <source>You need to confirm these segments again after replacing.</source>
        <translation>替换后需要重新确认这些句段。</translation>
    </message>
</context>
<context>
    <name>Finder</name>
    <message>
        <source>{0} ({1} in tentative drafts only)</source>
        <translation>{0}（其中 {1} 个只出现在仅供参考的草稿中）</translation>
    </message>
    <message>
        <source>Confirmed segments not changed: {0}.</source>
        <translation>未更改的已确认句段：{0}。</translation>
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
    <message>
        <source>1 segment</source>
        <translation>1 个句段</translation>
    </message>
    <message>
        <source>1 segment changed</source>
        <translation>已更改 1 个句段</translation>
    </message>
    <message>
        <source>{0} of {1}</source>
        <translation>第 {0} 个，共 {1} 个</translation>
    </message>
    <message>
        <source>{0}. Segments with remaining matches: {1}</source>
        <translation>{0}；仍有匹配的句段：{1} 个</translation>
    </message>
    <message>
        <source>Confirmed segments that will become unconfirmed: {0}.</source>
        <translation>将变为未确认的句段：{0}。</translation>
    </message>
    <message>
        <source>No matches</source>
        <translation>未找到</translation>
    </message>
    <message>
        <source>Nothing to replace: all matches are in sources, tentative drafts or tags.</source>
        <translation>没有可替换的内容：匹配都在原文、仅供参考的草稿或标签中。</translation>
    </message>
    <message>
        <source>Tentative drafts not changed: {0}.</source>
        <translation>仅供参考的草稿（未更改）：{0}。</translation>
    </message>
    <message>
        <source>This segment is confirmed and was not changed.</source>
        <translation>此句段已确认，未作更改。</translation>
    </message>
    <message>
        <source>“{0}” → “{1}”, segments: {2}.</source>
        <translation>“{0}” → “{1}”，句段数：{2}。</translation>
    </message>
</context>
<context>
    <name>GoToDialog</name>
    <message>
        <source>Go to segment</source>
        <translation>转到句段</translation>
    </message>
    <message>
        <source>Segment number (1 to {0}):</source>
        <translation>句段编号（1 至 {0}）：</translation>
    </message>
</context>
<context>
    <name>HeaderStrip</name>
    <message>
        <source>Filter by text</source>
        <translation>按文本筛选</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>筛选</translation>
    </message>
    <message>
        <source>{0} of {1} confirmed</source>
        <translation>已确认 {0} / {1}</translation>
    </message>
</context>
<context>
    <name>Import</name>
    <message>
        <source>This is the translation of “{0}”.</source>
        <translation>这是“{0}”的译文。</translation>
    </message>
    <message>
        <source>Files of other types skipped: {0}.</source>
        <translation>已略过 {0} 个其他类型的文件。</translation>
    </message>
    <message>
        <source>This file contains no text in the source language.</source>
        <translation>此文件中没有源语言的文字。</translation>
    </message>
    <message>
        <source>This file contains nothing to translate.</source>
        <translation>此文件中没有需要翻译的内容。</translation>
    </message>
    <message>
        <source>This is a broken link, or you do not have permission to read it.</source>
        <translation>这是失效的链接，或者您没有读取权限。</translation>
    </message>
    <message>
        <source>This is not an ordinary file.</source>
        <translation>这不是普通文件。</translation>
    </message>
    <message>
        <source>This is a link to a file outside the folder. Add that file instead.</source>
        <translation>这是指向文件夹之外某个文件的链接，请直接添加该文件。</translation>
    </message>
    <message>
        <source>This file is already in the project.</source>
        <translation>此文件已在项目中。</translation>
    </message>
    <message>
        <source>LibreOffice converts {0} to {1} for reading, and converts the translation back to {0}. Content that LibreOffice does not support is lost. To keep the converted format, export under a name that ends in {1}.</source>
        <translation>读取时，LibreOffice 将 {0} 转换为 {1}；导出时，再将译文转换回 {0}。LibreOffice 不支持的内容会丢失。要保留转换后的格式，请用以 {1} 结尾的文件名导出。</translation>
    </message>
    <message>
        <source>Texts skipped because they have more than {1} characters or {2} tags and cannot be split: {0}.</source>
        <translation>有 {0} 处文本超过 {1} 个字符或 {2} 个标签，又无法拆分，已略过。</translation>
    </message>
    <message>
        <source>Texts without a sentence end, split after {1} characters: {0}.</source>
        <translation>有 {0} 处文本没有句末标点，已在 {1} 个字符后拆分。</translation>
    </message>
    <message>
        <source>This file is new in the folder. To add it to the project, use Document ▸ Add documents….</source>
        <translation>这是文件夹中的新文件。可用“文档 ▸ 添加文档…”将其加入项目。</translation>
    </message>
    <message>
        <source>This name cannot be used for a file.</source>
        <translation>此名称不能用作文件名。</translation>
    </message>
    <message>
        <source>At most {0} documents can be added at a time.</source>
        <translation>一次最多可添加 {0} 个文档。</translation>
    </message>
</context>
<context>
    <name>InfluenceController</name>
    <message>
        <source>From {0}: {1}</source>
        <translation>来自{0}：{1}</translation>
    </message>
    <message>
        <source>From the draft of {0}: {1}</source>
        <translation>来自{0} 的草稿：{1}</translation>
    </message>
    <message>
        <source>You confirmed {0} → {1} ({2}).</source>
        <translation>您曾确认 {0} → {1}（{2}）。</translation>
    </message>
    <message>
        <source>Press {0} to use this word.</source>
        <translation>按 {0} 可采用该词。</translation>
    </message>
    <message>
        <source>This segment is locked.</source>
        <translation>此句段已锁定。</translation>
    </message>
    <message>
        <source>using a confirmed word</source>
        <translation>采用已确认的词</translation>
    </message>
    <message>
        <source>Use “{0}” here</source>
        <translation>在此处采用“{0}”</translation>
    </message>
    <message>
        <source>From the topic of the document: {0}</source>
        <translation>来自文档主题：{0}</translation>
    </message>
    <message>
        <source>The whole draft comes from {0}, which has the same source and is confirmed.</source>
        <translation>整句草稿来自{0}：该句段原文相同，而且您已确认。</translation>
    </message>
    <message>
        <source>No word here differs from your confirmed text.</source>
        <translation>此处的词与您已确认的译文没有冲突。</translation>
    </message>
</context>
<context>
    <name>ReasonLines</name>
    <message>
        <source>{0}: you replaced “{1}” in {2}</source>
        <translation>{0}：您在{2} 中改掉了“{1}”</translation>
    </message>
    <message>
        <source>{0}: your correction replaces “{1}”</source>
        <translation>{0}：用您的更正代替了“{1}”</translation>
    </message>
    <message>
        <source>{0} more</source>
        <translation>还有 {0} 项</translation>
    </message>
    <message>
        <source>Details →</source>
        <translation>详情 →</translation>
    </message>
    <message>
        <source>segment {0}</source>
        <translation>句段 {0}</translation>
    </message>
    <message>
        <source>you confirmed it</source>
        <translation>您已确认</translation>
    </message>
    <message>
        <source>a draft, not confirmed</source>
        <translation>草稿，未经确认</translation>
    </message>
    <message>
        <source>from the translation memory</source>
        <translation>来自翻译记忆库</translation>
    </message>
    <message>
        <source>Change…</source>
        <translation>更改…</translation>
    </message>
    <message>
        <source>Without the document memory: {0}</source>
        <translation>不使用文档记忆时：{0}</translation>
    </message>
    <message>
        <source>Reasons for the words of this draft</source>
        <translation>草稿用词的依据</translation>
    </message>
    <message>
        <source>The draft without the document memory also contains this word.</source>
        <translation>不使用文档记忆时，草稿中也有这个词。</translation>
    </message>
    <message>
        <source>The document memory did not affect this word.</source>
        <translation>文档记忆没有影响这个词。</translation>
    </message>
    <message>
        <source>Whole draft: you confirmed this translation for the same source</source>
        <translation>整句草稿：您曾为相同的原文确认过此译文</translation>
    </message>
    <message>
        <source>Without the document memory, the draft would be the same.</source>
        <translation>不使用文档记忆时，草稿相同。</translation>
    </message>
    <message>
        <source>Without the document memory, the word here would be “{0}”.</source>
        <translation>不使用文档记忆时，此处会是“{0}”。</translation>
    </message>
    <message>
        <source>Without the document memory, the sentence would end here.</source>
        <translation>不使用文档记忆时，句子会在此处结束。</translation>
    </message>
</context>
<context>
    <name>MemoryPacksDialog</name>
    <message>
        <source>Memory packs</source>
        <translation>记忆包</translation>
    </message>
    <message>
        <source>{0} (segments: {1})</source>
        <translation>{0}：{1} 个句段</translation>
    </message>
    <message>
        <source>Import…</source>
        <translation>导入…</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Drafts also use these segments, which were confirmed in other documents.</source>
        <translation>草稿也会参照这些在其他文档中确认的句段。</translation>
    </message>
</context>
<context>
    <name>MemoryPreviewDialog</name>
    <message>
        <source>Change the memory</source>
        <translation>更改记忆</translation>
    </message>
    <message>
        <source>No.</source>
        <translation>编号</translation>
    </message>
    <message>
        <source>Before</source>
        <translation>更改前</translation>
    </message>
    <message>
        <source>Drafts that would change</source>
        <translation>会变化的草稿</translation>
    </message>
    <message>
        <source>No draft would change.</source>
        <translation>没有草稿会变化。</translation>
    </message>
    <message>
        <source>1 draft would change:</source>
        <translation>1 条草稿会变化：</translation>
    </message>
    <message>
        <source>Drafts that would change: {0}</source>
        <translation>{0} 条草稿会变化：</translation>
    </message>
    <message>
        <source>After</source>
        <translation>更改后</translation>
    </message>
    <message>
        <source>Apply</source>
        <translation>应用</translation>
    </message>
    <message>
        <source>Calculating…</source>
        <translation>正在计算…</translation>
    </message>
</context>
<context>
    <name>MemoryRulesDialog</name>
    <message>
        <source>“{0}” from {1}</source>
        <translation>{1} 中的“{0}”</translation>
    </message>
    <message>
        <source>forgotten</source>
        <translation>已忘记</translation>
    </message>
    <message>
        <source>stronger effect</source>
        <translation>影响更大</translation>
    </message>
    <message>
        <source>weaker effect</source>
        <translation>影响更小</translation>
    </message>
    <message>
        <source>remembered as “{0}”</source>
        <translation>记为“{0}”</translation>
    </message>
    <message>
        <source>pinned</source>
        <translation>已固定</translation>
    </message>
    <message>
        <source>Memory rules</source>
        <translation>记忆规则</translation>
    </message>
    <message>
        <source>No rules yet. To add one, right-click a word in the “Memory” column on the “Word” tab of “Details”.</source>
        <translation>还没有规则。要添加规则，请在“详情”面板“译词”页的“记忆”列中右键单击一个词。</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Forgotten: {0}</source>
        <translation>已忘记：{0}</translation>
    </message>
    <message>
        <source>“{0}” was removed from the topic words</source>
        <translation>“{0}”已从主题词中移除</translation>
    </message>
</context>
<context>
    <name>Opener</name>
    <message>
        <source>Opening</source>
        <translation>正在打开</translation>
    </message>
    <message>
        <source>Try again.</source>
        <translation>请重试。</translation>
    </message>
    <message>
        <source>Your last changes are not saved</source>
        <translation>最近的更改尚未保存</translation>
    </message>
    <message>
        <source>The project cannot be changed now</source>
        <translation>现在无法更改项目</translation>
    </message>
    <message>
        <source>Another document is opening.</source>
        <translation>正在打开另一个文档。</translation>
    </message>
    <message>
        <source>Before you open another project, save this one as another file or free some disk space.</source>
        <translation>打开其他项目之前，请将此项目另存为其他文件，或释放一些磁盘空间。</translation>
    </message>
    <message>
        <source>Your last changes are not saved yet.</source>
        <translation>最近的更改尚未保存。</translation>
    </message>
</context>
<context>
    <name>PackController</name>
    <message>
        <source>Confirmed segments exported to {1}: {0}</source>
        <translation>已将 {0} 个已确认句段导出到 {1}</translation>
    </message>
    <message>
        <source>Export as a memory pack</source>
        <translation>导出为记忆包</translation>
    </message>
    <message>
        <source>Memory packs (*{0})</source>
        <translation>记忆包 (*{0})</translation>
    </message>
    <message>
        <source>Import a memory pack</source>
        <translation>导入记忆包</translation>
    </message>
    <message>
        <source>There are no confirmed segments yet.</source>
        <translation>尚无已确认的句段。</translation>
    </message>
    <message>
        <source>importing a memory pack</source>
        <translation>导入记忆包</translation>
    </message>
    <message>
        <source>removing a memory pack</source>
        <translation>移除记忆包</translation>
    </message>
    <message>
        <source>“{0}” imported. Confirmed segments: {1}</source>
        <translation>已导入“{0}”。已确认的句段：{1}</translation>
    </message>
</context>
<context>
    <name>ResegmentationService</name>
    <message>
        <source>Locked segments cannot be changed.</source>
        <translation>已锁定的句段不能更改。</translation>
    </message>
    <message>
        <source>Segments of this file type cannot be joined or split.</source>
        <translation>此类文件的句段不能合并或拆分。</translation>
    </message>
    <message>
        <source>This is the last segment of its paragraph.</source>
        <translation>这是段落中的最后一个句段。</translation>
    </message>
</context>
<context>
    <name>Keymap</name>
    <message>
        <source>{0} is already used for “{1}”. Choose another shortcut or change that one first.</source>
        <translation>{0} 已用于“{1}”。请另选快捷键，或先更改该操作的快捷键。</translation>
    </message>
    <message>
        <source>{0} is already used for “{1}”. Change that shortcut first.</source>
        <translation>{0} 已用于“{1}”。请先更改该操作的快捷键。</translation>
    </message>
    <message>
        <source>{0} is used for typing. Choose a function key, or add Ctrl or Alt.</source>
        <translation>{0} 用于输入文字。请选择功能键，或加上 Ctrl 或 Alt。</translation>
    </message>
</context>
<context>
    <name>MainWindow</name>
    <message>
        <source>Opening {0}…</source>
        <translation>正在打开 {0}…</translation>
    </message>
    <message>
        <source>Your settings cannot be saved. They apply until you close Anaphora.</source>
        <translation>无法保存设置。这些设置在关闭 Anaphora 之前有效。</translation>
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
        <source>&amp;Translate</source>
        <translation>翻译(&amp;T)</translation>
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
        <source>L&amp;anguage</source>
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
    <message>
        <source>&amp;High contrast</source>
        <translation>高对比度(&amp;H)</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>退出(&amp;Q)</translation>
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
        <source>Next &amp;pane</source>
        <translation>下一个窗格(&amp;P)</translation>
    </message>
    <message>
        <source>Previous pa&amp;ne</source>
        <translation>上一个窗格(&amp;W)</translation>
    </message>
    <message>
        <source>The language changes the next time you start Anaphora.</source>
        <translation>语言将在下次启动 Anaphora 时切换。</translation>
    </message>
</context>
<context>
    <name>NotesPanel</name>
    <message>
        <source>{0} of {1}</source>
        <translation>{0}，上限 {1}</translation>
    </message>
    <message>
        <source>Length</source>
        <translation>长度</translation>
    </message>
    <message>
        <source>Notes and tags of the current segment</source>
        <translation>当前句段的备注和标签</translation>
    </message>
    <message>
        <source>formatting</source>
        <translation>格式</translation>
    </message>
    <message>
        <source>Plural form {0} of {1}</source>
        <translation>复数形式 {0}/{1}</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>上下文</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Comment</source>
        <translation>注释</translation>
    </message>
    <message>
        <source>Translator&apos;s comment</source>
        <translation>译者注释</translation>
    </message>
    <message>
        <source>Flags</source>
        <translation>标志</translation>
    </message>
    <message>
        <source>Length limit</source>
        <translation>长度限制</translation>
    </message>
    <message>
        <source>Length limit, not checked</source>
        <translation>长度限制（不检查）</translation>
    </message>
    <message>
        <source>Singular</source>
        <translation>单数</translation>
    </message>
    <message>
        <source>Plural</source>
        <translation>复数</translation>
    </message>
    <message>
        <source>Speaker</source>
        <translation>说话人</translation>
    </message>
    <message>
        <source>Style</source>
        <translation>样式</translation>
    </message>
    <message>
        <source>Location</source>
        <translation>出处</translation>
    </message>
</context>
<context>
    <name>ProjectOperations</name>
    <message>
        <source>The project cannot be saved</source>
        <translation>无法保存项目</translation>
    </message>
    <message>
        <source>The project cannot be changed now</source>
        <translation>现在无法更改项目</translation>
    </message>
    <message>
        <source>Backups</source>
        <translation>备份</translation>
    </message>
    <message>
        <source>The project cannot be copied</source>
        <translation>无法复制项目</translation>
    </message>
    <message>
        <source>Saved as a new project. Segments: {0}, confirmed: {1}.</source>
        <translation>已另存为新项目：{0} 个句段，其中 {1} 个已确认。</translation>
    </message>
    <message>
        <source>The project cannot be read</source>
        <translation>无法读取该项目</translation>
    </message>
    <message>
        <source>The project is now saved in {0}.</source>
        <translation>项目现在保存在 {0}。</translation>
    </message>
</context>
<context>
    <name>SavingView</name>
    <message>
        <source>Your changes cannot be saved</source>
        <translation>无法保存更改</translation>
    </message>
    <message>
        <source>Saving</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Your last changes are being written to the disk…</source>
        <translation>正在将最近的更改写入磁盘…</translation>
    </message>
    <message>
        <source>Your work is still in the window, and Anaphora keeps trying to save it. To be safe, choose Document ▸ Save project as…, or export the translation.</source>
        <translation>您的工作成果仍保留在窗口中，Anaphora 会继续尝试保存。为稳妥起见，请选择“文档 ▸ 项目另存为…”，或导出译文。</translation>
    </message>
    <message>
        <source>Save the project in Anaphora's data folder</source>
        <translation>将项目保存到 Anaphora 的数据文件夹</translation>
    </message>
</context>
<context>
    <name>Saving</name>
    <message>
        <source>Your last changes are not saved yet.</source>
        <translation>最近的更改尚未保存。</translation>
    </message>
</context>
<context>
    <name>ProjectPresenter</name>
    <message>
        <source>Open that project</source>
        <translation>打开该项目</translation>
    </message>
    <message>
        <source>The damaged file is kept as “{0}”.</source>
        <translation>损坏的文件保存为“{0}”。</translation>
    </message>
    <message>
        <source>{0} was damaged</source>
        <translation>{0} 已损坏</translation>
    </message>
    <message>
        <source>Remove a document</source>
        <translation>移除文档</translation>
    </message>
    <message>
        <source>This is the project's only document.</source>
        <translation>这是项目中唯一的文档。</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>the project</source>
        <translation>此项目</translation>
    </message>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Documents written to {1}: {0}.</source>
        <translation>已将 {0} 个文档写入 {1}。</translation>
    </message>
    <message>
        <source>written</source>
        <translation>已写入</translation>
    </message>
    <message>
        <source>Document</source>
        <translation>文档</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>Open a copy</source>
        <translation>打开副本</translation>
    </message>
    <message>
        <source>{0} cannot be opened</source>
        <translation>无法打开 {0}</translation>
    </message>
    <message>
        <source>Source files</source>
        <translation>文档的源文件</translation>
    </message>
    <message>
        <source>Save what can be read</source>
        <translation>保存可以读取的内容</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Opening {0}…</source>
        <translation>正在打开 {0}…</translation>
    </message>
    <message>
        <source>According to the project, its documents come from these files:</source>
        <translation>根据项目的记录，文档来自以下文件：</translation>
    </message>
    <message>
        <source>Anaphora has not looked for these files. If they are yours, Anaphora can watch them and tell you when they change. You can also translate without them.</source>
        <translation>Anaphora 尚未查找这些文件。如果这些是您的文件，Anaphora 可以监视文件，并在文件更改时提醒您。没有这些文件也可以翻译。</translation>
    </message>
    <message>
        <source>Changes made after this backup are lost.</source>
        <translation>此备份之后的更改已丢失。</translation>
    </message>
    <message>
        <source>Changes made between {0} and {1} are lost.</source>
        <translation>{0} 至 {1} 之间的更改已丢失。</translation>
    </message>
    <message>
        <source>Do not watch</source>
        <translation>不监视</translation>
    </message>
    <message>
        <source>Documents not written: {0}.</source>
        <translation>未能写入的文档：{0}。</translation>
    </message>
    <message>
        <source>Files changed</source>
        <translation>文件已更改</translation>
    </message>
    <message>
        <source>Files not added to the project: {0}</source>
        <translation>未加入项目的文件：{0}</translation>
    </message>
    <message>
        <source>Files skipped</source>
        <translation>略过的文件</translation>
    </message>
    <message>
        <source>Keep the old versions</source>
        <translation>保留旧版本</translation>
    </message>
    <message>
        <source>Reason</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>Remove “{0}” and its translation from the project?</source>
        <translation>要将“{0}”及其译文从项目中移除吗？</translation>
    </message>
    <message>
        <source>Segments recovered from the damaged file: {0} (changed between {1} and {2}). Other changes from that time may be lost.</source>
        <translation>已从损坏的文件中恢复 {0} 个句段，这些句段在 {1} 至 {2} 之间有更改。该时段的其他更改可能已丢失。</translation>
    </message>
    <message>
        <source>Show backups</source>
        <translation>显示备份</translation>
    </message>
    <message>
        <source>Start a new project</source>
        <translation>新建项目</translation>
    </message>
    <message>
        <source>The file itself is not changed, and a backup of the project keeps your work.</source>
        <translation>原文件不变，项目的备份会保留您的工作成果。</translation>
    </message>
    <message>
        <source>The project was damaged. Anaphora opened the backup from {0}.</source>
        <translation>项目已损坏，已打开 {0} 的备份。</translation>
    </message>
    <message>
        <source>The project was not changed</source>
        <translation>项目未作更改</translation>
    </message>
    <message>
        <source>These files have changed since they were added to the project: {0}</source>
        <translation>以下文件在加入项目后有更改：{0}</translation>
    </message>
    <message>
        <source>This project was made on another computer. Anaphora does not watch its source files. &lt;a href="#files"&gt;Which files?&lt;/a&gt;</source>
        <translation>此项目是在其他计算机上创建的，Anaphora 不监视其源文件。&lt;a href="#files"&gt;哪些文件？&lt;/a&gt;</translation>
    </message>
    <message>
        <source>You can close the project instead.</source>
        <translation>如果不再需要此项目，可以将其关闭。</translation>
    </message>
    <message>
        <source>Use the new versions</source>
        <translation>使用新版本</translation>
    </message>
    <message>
        <source>Use the new versions? Segments that have not changed keep their translations, and a backup is made first. Otherwise the project keeps the old versions.</source>
        <translation>要使用新版本吗？Anaphora 会先创建备份；未更改的句段会保留译文。如不使用，项目继续使用旧版本。</translation>
    </message>
    <message>
        <source>Watch these files</source>
        <translation>监视这些文件</translation>
    </message>
    <message>
        <source>You can work on a copy in Anaphora's data folder. This file will not be changed.</source>
        <translation>您可以使用 Anaphora 数据文件夹中的副本。此文件不会更改。</translation>
    </message>
    <message>
        <source>You have translated {0} before</source>
        <translation>您以前翻译过 {0}</translation>
    </message>
    <message>
        <source>{0} is read-only</source>
        <translation>{0} 为只读</translation>
    </message>
    <message>
        <source>Nothing is lost: the backup contains all changes.</source>
        <translation>没有丢失任何内容：备份包含所有更改。</translation>
    </message>
</context>
<context>
    <name>Quality</name>
    <message>
        <source>This document differs from the model's training texts, so the drafts may be poor. Press Tab to use a tentative (grey) draft. &lt;a href="#models"&gt;Get a better model&lt;/a&gt;</source>
        <translation>此文档与模型的训练文本差别较大，草稿质量可能较差。对于仅供参考的（灰色）草稿，可按 Tab 采用。&lt;a href="#models"&gt;获取更好的模型&lt;/a&gt;</translation>
    </message>
    <message>
        <source>Missing: {0}</source>
        <translation>译文中缺少：{0}</translation>
    </message>
    <message>
        <source>Direction control character not in the source: {0}.</source>
        <translation>译文中有原文没有的方向控制符：{0}。</translation>
    </message>
    <message>
        <source>A line looks like a subtitle time: “{0}”.</source>
        <translation>有一行像字幕的时间轴：“{0}”。</translation>
    </message>
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
        <translation>缺少标签 {0}。</translation>
    </message>
    <message>
        <source>The tag {0} appears too often.</source>
        <translation>标签 {0} 出现次数过多。</translation>
    </message>
    <message>
        <source>The source has no tag {0}.</source>
        <translation>原文中没有标签 {0}。</translation>
    </message>
    <message>
        <source>Tags are out of order: pairs cross or are reversed, or placeholders changed places.</source>
        <translation>标签顺序有误：标签对交叉或前后颠倒，或占位符调换了位置。</translation>
    </message>
    <message>
        <source>The web address {0} is missing.</source>
        <translation>缺少网址 {0}。</translation>
    </message>
    <message>
        <source>The e-mail address {0} is missing.</source>
        <translation>缺少电子邮件地址 {0}。</translation>
    </message>
    <message>
        <source>The keyboard key {0} is missing.</source>
        <translation>译文中缺少按键名 {0}。</translation>
    </message>
    <message>
        <source>Repeated phrase: “{0}”.</source>
        <translation>短语重复：“{0}”。</translation>
    </message>
    <message>
        <source>The limit “{0}” (such as “at least” or “at most”) is missing or reversed.</source>
        <translation>限定语“{0}”（如“至少”“最多”）漏译，或意思译反了。</translation>
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
        <source>Untranslated Chinese text: “{0}”.</source>
        <translation>译文中残留中文：“{0}”。</translation>
    </message>
    <message>
        <source>“{0}” should be translated as “{1}”.</source>
        <translation>术语“{0}”应译为“{1}”。</translation>
    </message>
    <message>
        <source>“{1}” must not be used for the term “{0}”.</source>
        <translation>术语“{0}”不能译为“{1}”。</translation>
    </message>
    <message>
        <source>The format string {0} is missing.</source>
        <translation>缺少格式字符串 {0}。</translation>
    </message>
    <message>
        <source>The source has no format string {0}.</source>
        <translation>原文没有格式字符串 {0}。</translation>
    </message>
    <message>
        <source>Repeated word: “{0}”.</source>
        <translation>单词重复：“{0}”。</translation>
    </message>
    <message>
        <source>Full-width punctuation mark in the translation: {0}.</source>
        <translation>译文中有全角标点：{0}。</translation>
    </message>
    <message>
        <source>Missing or extra space: “{0}”.</source>
        <translation>缺少空格或空格多余：“{0}”。</translation>
    </message>
    <message>
        <source>One of the pair {0} is missing.</source>
        <translation>成对符号 {0} 缺少一个。</translation>
    </message>
    <message>
        <source>The source is a question, but the translation is not.</source>
        <translation>原文是问句，译文不是。</translation>
    </message>
    <message>
        <source>The translation is very short for its source.</source>
        <translation>译文相对原文过短。</translation>
    </message>
    <message>
        <source>The translation is very long for its source.</source>
        <translation>译文相对原文过长。</translation>
    </message>
    <message>
        <source>The same text is translated differently elsewhere: “{0}”.</source>
        <translation>相同的原文在别处译法不同：“{0}”。</translation>
    </message>
    <message>
        <source>Another text has the same translation: “{0}”.</source>
        <translation>另一原文的译文与此相同：“{0}”。</translation>
    </message>
    <message>
        <source>This name is written differently elsewhere: “{0}”.</source>
        <translation>同一名称在别处写法不同：“{0}”。</translation>
    </message>
    <message>
        <source>Latin punctuation mark in Chinese text: {0}.</source>
        <translation>中文译文中有半角标点：{0}。</translation>
    </message>
    <message>
        <source>The final punctuation differs from the source: “…{0}”.</source>
        <translation>句末标点与原文不一致：“…{0}”。</translation>
    </message>
    <message>
        <source>The sign, unit or fraction of “{0}” is missing or wrong.</source>
        <translation>“{0}”的正负号、单位或分数缺失或有误。</translation>
    </message>
    <message>
        <source>Too fast to read: {0} characters per second (at most {1}).</source>
        <translation>字幕显示过快：每秒 {0} 个字符（上限 {1}）。</translation>
    </message>
    <message>
        <source>Too long: {0} characters (at most {1}).</source>
        <translation>过长：{0} 个字符（上限 {1}）。</translation>
    </message>
    <message>
        <source>Too long: {0} bytes (at most {1}).</source>
        <translation>过长：{0} 个字节（上限 {1}）。</translation>
    </message>
    <message>
        <source>Unknown word: “{0}” (not in the dictionaries, the source or confirmed text).</source>
        <translation>未知的词：“{0}”（词典、原文和已确认的译文中都没有）。</translation>
    </message>
    <message>
        <source>Untranslated source text: “{0}”.</source>
        <translation>未翻译的原文：“{0}”。</translation>
    </message>
    <message>
        <source>{0} numbers are missing.</source>
        <translation>缺少 {0} 个数字。</translation>
    </message>
    <message>
        <source>{0} numbers are not in the source.</source>
        <translation>有 {0} 个数字是原文中没有的。</translation>
    </message>
    <message>
        <source>The file cannot store this character, so it will be omitted: {0}.</source>
        <translation>文件无法保存此字符，导出时将省略：{0}。</translation>
    </message>
</context>
<context>
    <name>ResegmentationController</name>
    <message>
        <source>Segments joined</source>
        <translation>已合并句段</translation>
    </message>
    <message>
        <source>Segment split</source>
        <translation>已拆分句段</translation>
    </message>
    <message>
        <source>Move the cursor and press Enter to split, or press Esc to cancel.</source>
        <translation>移动光标，按回车键拆分，按 Esc 取消。</translation>
    </message>
</context>
<context>
    <name>RenderingPreview</name>
    <message>
        <source>Use one translation everywhere</source>
        <translation>统一译名</translation>
    </message>
    <message>
        <source>No.</source>
        <translation>编号</translation>
    </message>
    <message>
        <source>Before</source>
        <translation>更改前</translation>
    </message>
    <message>
        <source>Change {0} segments</source>
        <translation>更改 {0} 个句段</translation>
    </message>
    <message>
        <source>Change 1 segment</source>
        <translation>更改 1 个句段</translation>
    </message>
    <message>
        <source>Replace all</source>
        <translation>全部替换</translation>
    </message>
    <message>
        <source>Add “{0}” to the project's term base</source>
        <translation>将“{0}”加入项目术语库</translation>
    </message>
    <message>
        <source>After</source>
        <translation>更改后</translation>
    </message>
    <message>
        <source>human translation</source>
        <translation>人工译文</translation>
    </message>
    <message>
        <source>“{0}” will be translated as “{1}” in these segments. Human translations change only where you select them.</source>
        <translation>“{0}”在这些句段中将统一译为“{1}”。人工译文只有勾选后才会更改。</translation>
    </message>
</context>
<context>
    <name>BreakingLabel</name>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
</context>
<context>
    <name>ReportDialog</name>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
</context>
<context>
    <name>RulesDialog</name>
    <message>
        <source>Sentence rules</source>
        <translation>断句规则</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>Sentence ends</source>
        <translation>断句</translation>
    </message>
    <message>
        <source>Text before</source>
        <translation>前文</translation>
    </message>
    <message>
        <source>Text after</source>
        <translation>后文</translation>
    </message>
    <message>
        <source>All languages</source>
        <translation>所有语言</translation>
    </message>
    <message>
        <source>A sentence ends here</source>
        <translation>句子在此结束</translation>
    </message>
    <message>
        <source>No sentence ends here</source>
        <translation>句子不在此结束</translation>
    </message>
    <message>
        <source>&amp;Language:</source>
        <translation>语言(&amp;L)：</translation>
    </message>
    <message>
        <source>&amp;Rule:</source>
        <translation>规则(&amp;R)：</translation>
    </message>
    <message>
        <source>Text &amp;before:</source>
        <translation>前文(&amp;B)：</translation>
    </message>
    <message>
        <source>Text a&amp;fter:</source>
        <translation>后文(&amp;F)：</translation>
    </message>
    <message>
        <source>&amp;Add</source>
        <translation>添加(&amp;A)</translation>
    </message>
    <message>
        <source>Re&amp;move</source>
        <translation>移除(&amp;M)</translation>
    </message>
    <message>
        <source>&amp;Up</source>
        <translation>上移(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Down</source>
        <translation>下移(&amp;D)</translation>
    </message>
    <message>
        <source>R&amp;eset</source>
        <translation>恢复默认(&amp;E)</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>是</translation>
    </message>
    <message>
        <source>no</source>
        <translation>否</translation>
    </message>
    <message>
        <source>&amp;Test the rules:</source>
        <translation>测试规则(&amp;T)：</translation>
    </message>
    <message>
        <source>At each position, the first matching rule applies. “Text before” and “Text after” are regular expressions.</source>
        <translation>在每个位置应用第一条匹配的规则。“前文”和“后文”是正则表达式。</translation>
    </message>
    <message>
        <source>Effect of the rule</source>
        <translation>规则的作用</translation>
    </message>
    <message>
        <source>Resulting sentences</source>
        <translation>断句结果</translation>
    </message>
    <message>
        <source>Sample text for the rules</source>
        <translation>用于测试规则的文本</translation>
    </message>
    <message>
        <source>The rules apply to new documents, not to those already opened.</source>
        <translation>规则只适用于新文档，不影响已打开过的文档。</translation>
    </message>
    <message>
        <source>These are the default rules.</source>
        <translation>这些是默认规则。</translation>
    </message>
</context>
<context>
    <name>SearchLine</name>
    <message>
        <source>Clear</source>
        <translation>清空</translation>
    </message>
</context>
<context>
    <name>SegmentActions</name>
    <message>
        <source>This draft is tentative. Press Tab to use it, or type your own translation.</source>
        <translation>此草稿仅供参考。按 Tab 采用，或直接输入译文。</translation>
    </message>
    <message>
        <source>There is no translation to confirm yet.</source>
        <translation>尚无可确认的译文。</translation>
    </message>
    <message>
        <source>All pairs of tags are present.</source>
        <translation>所有成对的标签都已在译文中。</translation>
    </message>
    <message>
        <source>All segments are confirmed.</source>
        <translation>所有句段均已确认。</translation>
    </message>
    <message>
        <source>All tags are present.</source>
        <translation>所有标签都已在译文中。</translation>
    </message>
    <message>
        <source>The text was not pasted: the limit is {0} characters.</source>
        <translation>未粘贴：译文最多 {0} 个字符。</translation>
    </message>
    <message>
        <source>There are no upper-case or lower-case letters here.</source>
        <translation>此处没有区分大小写的字母。</translation>
    </message>
    <message>
        <source>This is the last segment. Some earlier segments are not confirmed.</source>
        <translation>这是最后一个句段，前面还有未确认的句段。</translation>
    </message>
    <message>
        <source>Press {0} to confirm, or {1} to insert a line break.</source>
        <translation>按 {0} 确认，按 {1} 换行。</translation>
    </message>
    <message>
        <source>Segments approved: {0}</source>
        <translation>已批准的句段：{0}</translation>
    </message>
    <message>
        <source>Segments no longer approved: {0}</source>
        <translation>已取消批准的句段：{0}</translation>
    </message>
    <message>
        <source>Only confirmed segments can be approved.</source>
        <translation>只能批准已确认的句段。</translation>
    </message>
</context>
<context>
    <name>SegmentModel</name>
    <message>
        <source>{0}% match</source>
        <translation>匹配度 {0}%</translation>
    </message>
    <message>
        <source>No.</source>
        <translation>编号</translation>
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
        <source>{0}, beginning of {1}</source>
        <translation>{0}，{1} 的开头</translation>
    </message>
    <message>
        <source>{0}, the draft has changed</source>
        <translation>{0}，草稿已更改</translation>
    </message>
    <message>
        <source>The draft has changed since you saw it.</source>
        <translation>您上次查看之后，草稿有更改。</translation>
    </message>
    <message>
        <source>{0}, with comments</source>
        <translation>{0}，有批注</translation>
    </message>
    <message>
        <source>{0}, low confidence</source>
        <translation>{0}，低置信度</translation>
    </message>
    <message>
        <source>“{0}” has several translations: {1}</source>
        <translation>“{0}”有多个译名：{1}</translation>
    </message>
    <message>
        <source>Low confidence: this draft may be wrong. Check it against the source.</source>
        <translation>低置信度：此草稿可能有误，请对照原文检查。</translation>
    </message>
    <message>
        <source>Possibly not a real word: {0}</source>
        <translation>可能是生造的词：{0}</translation>
    </message>
    <message>
        <source>Tentative: press Tab to use it</source>
        <translation>仅供参考：按 Tab 采用</translation>
    </message>
    <message>
        <source>Tentative: this draft is probably too poor to edit. Press Tab to use it anyway.</source>
        <translation>仅供参考：此草稿的质量很可能太差，不值得修改。如仍要采用，请按 Tab。</translation>
    </message>
    <message>
        <source>Tentative: {0}</source>
        <translation>仅供参考：{0}</translation>
    </message>
    <message>
        <source>Approved</source>
        <translation>已批准</translation>
    </message>
</context>
<context>
    <name>SegmentTable</name>
    <message>
        <source>Segments</source>
        <translation>句段</translation>
    </message>
    <message>
        <source>No segments match this filter. Press Esc in the filter field to show all segments.</source>
        <translation>没有符合此筛选条件的句段。在筛选框中按 Esc 可重新显示全部句段。</translation>
    </message>
</context>
<context>
    <name>ShortcutsDialog</name>
    <message>
        <source>Default</source>
        <translation>默认</translation>
    </message>
    <message>
        <source>Find an action or a shortcut</source>
        <translation>查找操作或快捷键</translation>
    </message>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>键盘快捷键</translation>
    </message>
    <message>
        <source>Shortcut preset</source>
        <translation>快捷键方案</translation>
    </message>
    <message>
        <source>New shortcut for the selected action</source>
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
        <source>Actions and their shortcuts</source>
        <translation>操作及其快捷键</translation>
    </message>
    <message>
        <source>Action</source>
        <translation>操作</translation>
    </message>
    <message>
        <source>Shortcuts</source>
        <translation>快捷键</translation>
    </message>
    <message>
        <source>Shortcut &amp;preset:</source>
        <translation>快捷键方案(&amp;K)：</translation>
    </message>
    <message>
        <source>&amp;New shortcut:</source>
        <translation>新快捷键(&amp;N)：</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Shortcuts for “{0}”: {1}</source>
        <translation>“{0}”的快捷键：{1}</translation>
    </message>
    <message>
        <source>Press the new shortcut in the field. Changed shortcuts are bold.</source>
        <translation>请在输入框中按下新的快捷键。更改过的快捷键以粗体显示。</translation>
    </message>
</context>
<context>
    <name>SplitPicker</name>
    <message>
        <source>Source: choose where the second part begins</source>
        <translation>原文：选择第二部分的起始位置</translation>
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
        <source>Drop documents or a folder here</source>
        <translation>将文档或文件夹拖放到此处</translation>
    </message>
    <message>
        <source>Anaphora drafts a translation of your document, sentence by sentence.</source>
        <translation>Anaphora 逐句为您的文档生成译文草稿。</translation>
    </message>
    <message>
        <source>Everything stays on this computer. Translations keep the document's format.</source>
        <translation>所有内容都保留在本机，译文保持原文档的格式。</translation>
    </message>
    <message>
        <source>You edit and confirm. Later drafts use your confirmed wording.</source>
        <translation>您来编辑和确认，之后的草稿会沿用已确认的译法。</translation>
    </message>
</context>
<context>
    <name>StatisticsDialog</name>
    <message>
        <source>For languages without spaces between words (such as Chinese), each character counts as a word. Punctuation is not counted. A segment counts as repeated if an earlier segment in this or another document has the same source. Matches come from the translation memories. For a 101% match, the neighbouring segments are the same too.</source>
        <translation>对于中文等词间没有空格的语言，每个字计为一个词，标点不计。如果前面（在本文档或其他文档中）已有原文相同的句段，则计为重复。匹配来自翻译记忆库；101% 表示前后句段也相同。</translation>
    </message>
    <message>
        <source>Target words</source>
        <translation>译文字数</translation>
    </message>
    <message>
        <source>Words: {0}. Segments: {1}. {2} of the words are in repetitions.</source>
        <translation>字数：{0}。句段：{1} 个。重复句段占字数的 {2}。</translation>
    </message>
    <message>
        <source>Tentative</source>
        <translation>仅供参考</translation>
    </message>
    <message>
        <source>Statistics</source>
        <translation>统计</translation>
    </message>
    <message>
        <source>All documents</source>
        <translation>全部文档</translation>
    </message>
    <message>
        <source>Document</source>
        <translation>文档</translation>
    </message>
    <message>
        <source>Words</source>
        <translation>字数</translation>
    </message>
    <message>
        <source>Characters</source>
        <translation>字符数</translation>
    </message>
    <message>
        <source>Segments</source>
        <translation>句段</translation>
    </message>
    <message>
        <source>Repeated</source>
        <translation>重复</translation>
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
        <source>Match</source>
        <translation>匹配</translation>
    </message>
    <message>
        <source>New</source>
        <translation>新句段</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Approved</source>
        <translation>已批准</translation>
    </message>
</context>
<context>
    <name>StatusLine</name>
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
</context>
<context>
    <name>SteeringController</name>
    <message>
        <source>Pin the word (keep it when the memory is full)</source>
        <translation>固定该词（记忆已满时保留）</translation>
    </message>
    <message>
        <source>Increase the effect</source>
        <translation>增大影响</translation>
    </message>
    <message>
        <source>Reduce the effect</source>
        <translation>减小影响</translation>
    </message>
    <message>
        <source>Correct the word…</source>
        <translation>更正该词…</translation>
    </message>
    <message>
        <source>Forget the word in the segment it came from</source>
        <translation>只忘记来源句段中的该词</translation>
    </message>
    <message>
        <source>Forget the word everywhere</source>
        <translation>在所有句段中忘记该词</translation>
    </message>
    <message>
        <source>Select a word in the list first.</source>
        <translation>请先在列表中选择一个词。</translation>
    </message>
    <message>
        <source>pinning a word</source>
        <translation>固定一个词</translation>
    </message>
    <message>
        <source>Reduce the effect of “{0}”.</source>
        <translation>减小“{0}”的影响。</translation>
    </message>
    <message>
        <source>changing an effect</source>
        <translation>调整一个词的影响</translation>
    </message>
    <message>
        <source>Correct the word</source>
        <translation>更正该词</translation>
    </message>
    <message>
        <source>correcting a word</source>
        <translation>更正一个词</translation>
    </message>
    <message>
        <source>forgetting a word</source>
        <translation>忘记一个词</translation>
    </message>
    <message>
        <source>forgetting a segment</source>
        <translation>忘记一个句段</translation>
    </message>
    <message>
        <source>Increase the effect of “{0}”.</source>
        <translation>增大“{0}”的影响。</translation>
    </message>
    <message>
        <source>Forget the whole segment it came from</source>
        <translation>忘记该词的整个来源句段</translation>
    </message>
    <message>
        <source>Forget {0}. The translation does not change.</source>
        <translation>忘记{0} 的全部内容。译文不变。</translation>
    </message>
    <message>
        <source>Forget “{0}” in {1}. The translation does not change.</source>
        <translation>忘记{1} 中的“{0}”。译文不变。</translation>
    </message>
    <message>
        <source>Forget “{0}” in all segments. The translations do not change.</source>
        <translation>忘记所有句段中的“{0}”。译文不变。</translation>
    </message>
    <message>
        <source>Instead of “{0}”, remember:</source>
        <translation>记住以下译法，代替“{0}”：</translation>
    </message>
    <message>
        <source>Remember “{1}” instead of “{0}”. The translation does not change.</source>
        <translation>记住“{1}”，代替“{0}”。译文不变。</translation>
    </message>
    <message>
        <source>removing a memory rule</source>
        <translation>移除记忆规则</translation>
    </message>
    <message>
        <source>“{0}” may be removed when the memory is full.</source>
        <translation>记忆已满时，“{0}”可能会被移除。</translation>
    </message>
    <message>
        <source>“{0}” will be kept when the memory is full.</source>
        <translation>记忆已满时保留“{0}”。</translation>
    </message>
</context>
<context>
    <name>Suggester</name>
    <message>
        <source>This segment is locked.</source>
        <translation>此句段已锁定。</translation>
    </message>
    <message>
        <source>Suggestion {0} will be used when it is ready.</source>
        <translation>第 {0} 条建议生成后将自动采用。</translation>
    </message>
    <message>
        <source>Suggestion {0} will be used and confirmed when it is ready.</source>
        <translation>第 {0} 条建议生成后将自动采用并确认。</translation>
    </message>
    <message>
        <source>Suggestion {0} was not ready before you left the segment.</source>
        <translation>离开句段时，第 {0} 条建议尚未生成，因此未采用。</translation>
    </message>
    <message>
        <source>Suggestion {0} was not used because the text has changed.</source>
        <translation>未采用第 {0} 条建议：译文在此期间已更改。</translation>
    </message>
    <message>
        <source>There are no suggestions for this segment.</source>
        <translation>此句段没有建议。</translation>
    </message>
    <message>
        <source>No translation model is available for suggestions.</source>
        <translation>没有可用于生成建议的翻译模型。</translation>
    </message>
    <message>
        <source>Suggestions available: {0}.</source>
        <translation>现有 {0} 条建议。</translation>
    </message>
    <message>
        <source>using a suggestion</source>
        <translation>采用建议</translation>
    </message>
</context>
<context>
    <name>SuggestionsPanel</name>
    <message>
        <source>Suggestion {0}, {1}% match: {2}</source>
        <translation>建议 {0}，匹配度 {1}%：{2}</translation>
    </message>
    <message>
        <source>newer draft, because segment {0} is no longer confirmed</source>
        <translation>句段 {0} 取消确认后生成的新草稿</translation>
    </message>
    <message>
        <source>newer draft</source>
        <translation>较新的草稿</translation>
    </message>
    <message>
        <source>newer draft, because you confirmed segment {0}</source>
        <translation>您确认句段 {0} 后生成的新草稿</translation>
    </message>
    <message>
        <source>Suggestions for the current segment</source>
        <translation>当前句段的建议</translation>
    </message>
    <message>
        <source>Suggestion {0}: {1}</source>
        <translation>建议 {0}：{1}</translation>
    </message>
    <message>
        <source>shared translation memory</source>
        <translation>共享记忆库</translation>
    </message>
    <message>
        <source>project's translation memory</source>
        <translation>项目记忆库</translation>
    </message>
    <message>
        <source>machine draft</source>
        <translation>机器草稿</translation>
    </message>
    <message>
        <source>Looking for suggestions…</source>
        <translation>正在查找建议…</translation>
    </message>
    <message>
        <source>Only tags, numbers, case or character width differ. The translation was adapted.</source>
        <translation>仅标签、数字、大小写或全半角不同。译文已相应调整。</translation>
    </message>
    <message>
        <source>Same text and same neighbouring segments.</source>
        <translation>原文相同，前后句段也相同。</translation>
    </message>
    <message>
        <source>Same text.</source>
        <translation>原文相同。</translation>
    </message>
    <message>
        <source>Struck-through text is only in the match. Highlighted text is only in this segment.</source>
        <translation>带删除线的文字只出现在匹配中，突出显示的文字只出现在此句段中。</translation>
    </message>
    <message>
        <source>The translation was not adapted. Check tags, numbers, case and character width.</source>
        <translation>译文未作调整，请检查标签、数字、大小写和全半角。</translation>
    </message>
</context>
<context>
    <name>TimelineDialog</name>
    <message>
        <source>Timeline</source>
        <translation>时间线</translation>
    </message>
    <message>
        <source>Choose a step to return the document and its memory to that point.</source>
        <translation>选择一个步骤，文档和记忆会回到当时的状态。</translation>
    </message>
    <message>
        <source>when opened</source>
        <translation>打开时的状态</translation>
    </message>
</context>
<context>
    <name>TopicPanel</name>
    <message>
        <source>No topic words affect this segment.</source>
        <translation>没有主题词影响此句段。</translation>
    </message>
    <message>
        <source>Topic of the document</source>
        <translation>文档主题</translation>
    </message>
    <message>
        <source>Effect</source>
        <translation>影响</translation>
    </message>
    <message>
        <source>From</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>Effect on this segment: {0}.</source>
        <translation>对此句段的影响：{0}。</translation>
    </message>
    <message>
        <source>The word's contribution to the draft</source>
        <translation>这个词对草稿的影响大小</translation>
    </message>
    <message>
        <source>This model does not use topic words or words from recent sentences. Only the model that comes with Anaphora uses them.</source>
        <translation>此模型不使用主题词和近期词；只有 Anaphora 自带的模型才使用。</translation>
    </message>
    <message>
        <source>Without a translation model, there are no topic words.</source>
        <translation>没有翻译模型，因此没有主题词。</translation>
    </message>
</context>
<context>
    <name>UnexpectedNotice</name>
    <message>
        <source>An unexpected error occurred. For details, see Help ▸ Report a problem….</source>
        <translation>发生意外错误。详情见“帮助 ▸ 报告问题…”。</translation>
    </message>
</context>
<context>
    <name>WhyPanel</name>
    <message>
        <source>Word</source>
        <translation>译词</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>记忆</translation>
    </message>
    <message>
        <source>From</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>Effect</source>
        <translation>影响</translation>
    </message>
    <message>
        <source>Click a word in the translation, or press Alt+→, to see where it comes from.</source>
        <translation>点击译文中的词，或按 Alt+→，查看这个词的来源。</translation>
    </message>
    <message>
        <source>{0}, draft</source>
        <translation>{0}（草稿）</translation>
    </message>
    <message>
        <source>The remembered word is confirmed in {0}.</source>
        <translation>记住的词已在{0} 中确认。</translation>
    </message>
    <message>
        <source>Calculating…</source>
        <translation>正在计算…</translation>
    </message>
    <message>
        <source>The remembered word is in the draft of {0} (not confirmed).</source>
        <translation>记住的词来自{0} 的草稿（未确认）。</translation>
    </message>
    <message>
        <source>The document memory did not affect this word.</source>
        <translation>文档记忆没有影响这个词。</translation>
    </message>
</context>
<context>
    <name>TranslationMemoryController</name>
    <message>
        <source>Translation memory</source>
        <translation>翻译记忆库</translation>
    </message>
    <message>
        <source>Import into the shared translation memory</source>
        <translation>导入到共享记忆库</translation>
    </message>
    <message>
        <source>Import into the project's translation memory</source>
        <translation>导入到项目记忆库</translation>
    </message>
    <message>
        <source>Export the shared translation memory</source>
        <translation>导出共享记忆库</translation>
    </message>
    <message>
        <source>Export the project's translation memory</source>
        <translation>导出项目记忆库</translation>
    </message>
    <message>
        <source>Imported</source>
        <translation>已导入</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>所有文件 (*)</translation>
    </message>
    <message>
        <source>Importing {0}…</source>
        <translation>正在导入 {0}…</translation>
    </message>
    <message>
        <source>Exporting {0}…</source>
        <translation>正在导出 {0}…</translation>
    </message>
    <message>
        <source>Translation units in {0}: {1}</source>
        <translation>{0} 中的翻译单元：{1}</translation>
    </message>
    <message>
        <source>Translation units exported to {1}: {0}</source>
        <translation>已将 {0} 个翻译单元导出到 {1}</translation>
    </message>
    <message>
        <source>Translation memories and files ({0})</source>
        <translation>翻译记忆库和文件 ({0})</translation>
    </message>
    <message>
        <source>Translation memories (*{0})</source>
        <translation>翻译记忆库 (*{0})</translation>
    </message>
    <message>
        <source>of these, adapted: {0}</source>
        <translation>其中已调整：{0}</translation>
    </message>
    <message>
        <source>Added: {0}</source>
        <translation>已添加：{0}</translation>
    </message>
    <message>
        <source>Already in the translation memory, or repeated in the file: {0}</source>
        <translation>翻译记忆库中已有或在文件中重复：{0}</translation>
    </message>
    <message>
        <source>Cancelled. Nothing was changed.</source>
        <translation>已取消，未作任何更改。</translation>
    </message>
    <message>
        <source>Repetitions filled in: {0}</source>
        <translation>已填入的重复句段：{0}</translation>
    </message>
    <message>
        <source>Skipped (empty, unconfirmed, too long, other languages): {0}</source>
        <translation>略过（空白、未确认、过长或语言不符）：{0}</translation>
    </message>
    <message>
        <source>The translation memory is not ready yet or is in use. Try again later.</source>
        <translation>翻译记忆库尚未就绪或正在使用，请稍后重试。</translation>
    </message>
    <message>
        <source>Not changed (could not be adapted): {0}</source>
        <translation>未更改（无法调整）：{0}</translation>
    </message>
    <message>
        <source>Not changed (translated differently): {0}</source>
        <translation>未更改（译文不同）：{0}</translation>
    </message>
</context>
<context>
    <name>RepetitionMenu</name>
    <message>
        <source>Fill in only repetitions &amp;with the same preceding segment</source>
        <translation>只填入上一句段也相同的重复句段(&amp;W)</translation>
    </message>
    <message>
        <source>&amp;Confirm exact repetitions too</source>
        <translation>同时确认完全相同的重复句段(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Leave repetitions unchanged</source>
        <translation>不填入重复句段(&amp;L)</translation>
    </message>
    <message>
        <source>Fill in &amp;all repetitions</source>
        <translation>填入所有重复句段(&amp;A)</translation>
    </message>
</context>
<context>
    <name>TermBaseLines</name>
    <message>
        <source>Terms in the current segment</source>
        <translation>当前句段的术语</translation>
    </message>
    <message>
        <source>used</source>
        <translation>已使用</translation>
    </message>
    <message>
        <source>not used</source>
        <translation>未使用</translation>
    </message>
    <message>
        <source>forbidden translation used</source>
        <translation>使用了禁用译名</translation>
    </message>
</context>
<context>
    <name>TermsModel</name>
    <message>
        <source>Term</source>
        <translation>术语</translation>
    </message>
    <message>
        <source>Translations</source>
        <translation>译名</translation>
    </message>
    <message>
        <source>Forbidden</source>
        <translation>禁用</translation>
    </message>
    <message>
        <source>Domain</source>
        <translation>领域</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>备注</translation>
    </message>
</context>
<context>
    <name>TermsDialog</name>
    <message>
        <source>Term base</source>
        <translation>术语库</translation>
    </message>
    <message>
        <source>Search terms, translations and notes</source>
        <translation>搜索术语、译名和备注</translation>
    </message>
    <message>
        <source>Terms</source>
        <translation>术语</translation>
    </message>
    <message>
        <source>&amp;Term</source>
        <translation>术语(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Preferred</source>
        <translation>首选译名(&amp;P)</translation>
    </message>
    <message>
        <source>Also a&amp;llowed</source>
        <translation>允许译名(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Forbidden</source>
        <translation>禁用译名(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Domain</source>
        <translation>领域(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;Note</source>
        <translation>备注(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Save</source>
        <translation>保存(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Remove</source>
        <translation>删除(&amp;R)</translation>
    </message>
    <message>
        <source>Ne&amp;w</source>
        <translation>新建(&amp;W)</translation>
    </message>
    <message>
        <source>&amp;Import…</source>
        <translation>导入(&amp;I)…</translation>
    </message>
    <message>
        <source>&amp;Export…</source>
        <translation>导出(&amp;E)…</translation>
    </message>
    <message>
        <source>Terms: {0} of {1}</source>
        <translation>{0} / {1} 条术语</translation>
    </message>
    <message>
        <source>All projects</source>
        <translation>所有项目</translation>
    </message>
    <message>
        <source>Separate translations with semicolons.</source>
        <translation>多个译名用分号隔开。</translation>
    </message>
    <message>
        <source>Separate translations with semicolons. Inflected forms are recognised.</source>
        <translation>多个译名用分号隔开；词形变化会自动识别。</translation>
    </message>
    <message>
        <source>This project</source>
        <translation>此项目</translation>
    </message>
</context>
<context>
    <name>TermController</name>
    <message>
        <source>Terms ({0})</source>
        <translation>术语文件 ({0})</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>所有文件 (*)</translation>
    </message>
    <message>
        <source>Import terms</source>
        <translation>导入术语</translation>
    </message>
    <message>
        <source>TBX-Basic (*{0})</source>
        <translation>TBX-Basic 文件 (*{0})</translation>
    </message>
    <message>
        <source>Table (*{0})</source>
        <translation>表格 (*{0})</translation>
    </message>
    <message>
        <source>Export terms</source>
        <translation>导出术语</translation>
    </message>
    <message>
        <source>Entries in {0}: {1}</source>
        <translation>{0} 中的条目：{1}</translation>
    </message>
    <message>
        <source>New terms: {0}</source>
        <translation>新术语：{0}</translation>
    </message>
    <message>
        <source>Imported</source>
        <translation>已导入</translation>
    </message>
    <message>
        <source>Terms exported to {1}: {0}</source>
        <translation>已将 {0} 条术语导出到 {1}</translation>
    </message>
    <message>
        <source>Term base</source>
        <translation>术语库</translation>
    </message>
    <message>
        <source>Importing {0}…</source>
        <translation>正在导入 {0}…</translation>
    </message>
    <message>
        <source>Added to the term base: {0} → {1}</source>
        <translation>已加入术语库：{0} → {1}</translation>
    </message>
    <message>
        <source>Another import of terms is running.</source>
        <translation>正在进行另一项术语导入。</translation>
    </message>
    <message>
        <source>Cancelled. Nothing was changed.</source>
        <translation>已取消，未作任何更改。</translation>
    </message>
    <message>
        <source>Existing terms with new information: {0}</source>
        <translation>有新增内容的现有术语：{0}</translation>
    </message>
    <message>
        <source>Existing terms unchanged: {0}</source>
        <translation>未更改的现有术语：{0}</translation>
    </message>
    <message>
        <source>Forbidden translations: {0}</source>
        <translation>禁用译名：{0}</translation>
    </message>
    <message>
        <source>Skipped (not in both languages): {0}</source>
        <translation>略过（缺少一种语言）：{0}</translation>
    </message>
    <message>
        <source>Skipped (too long for a term): {0}</source>
        <translation>略过（过长，不适合作术语）：{0}</translation>
    </message>
    <message>
        <source>This segment has no term with that number.</source>
        <translation>此句段没有该编号的术语。</translation>
    </message>
</context>
<context>
    <name>WorkSummary</name>
    <message>
        <source>confirmed</source>
        <translation>已确认</translation>
    </message>
    <message>
        <source>edited, not confirmed</source>
        <translation>已编辑，未确认</translation>
    </message>
    <message>
        <source>locked</source>
        <translation>已锁定</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>查看</translation>
    </message>
    <message>
        <source>Show segments: {0}</source>
        <translation>查看句段：{0}</translation>
    </message>
    <message>
        <source>machine drafts, not confirmed</source>
        <translation>机器草稿，未确认</translation>
    </message>
    <message>
        <source>not started: the source is kept</source>
        <translation>未开始：将保留原文</translation>
    </message>
    <message>
        <source>tentative, probably too poor to edit</source>
        <translation>仅供参考，质量很可能太差</translation>
    </message>
    <message>
        <source>with issues</source>
        <translation>有问题</translation>
    </message>
    <message>
        <source>with issues so far (still checking)</source>
        <translation>目前有问题（仍在检查）</translation>
    </message>
</context>
<context>
    <name>ExportDialog</name>
    <message>
        <source>Export translation</source>
        <translation>导出译文</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>LibreOffice converts the file to {0}. To avoid this, use a name that ends in {1}.</source>
        <translation>LibreOffice 会将文件转换为 {0}。如果文件名以 {1} 结尾，则不转换。</translation>
    </message>
    <message>
        <source>Set the file's language to that of the translation</source>
        <translation>将文件语言设为译文语言</translation>
    </message>
    <message>
        <source>Spelling checkers and screen readers use this language. Fonts without letters for this language are replaced.</source>
        <translation>拼写检查和屏幕阅读器会使用此语言。缺少该语言字符的字体会替换为其他字体。</translation>
    </message>
    <message>
        <source>Tentative drafts</source>
        <translation>仅供参考的草稿</translation>
    </message>
    <message>
        <source>Tentative drafts: export the drafts</source>
        <translation>仅供参考的草稿：导出草稿</translation>
    </message>
    <message>
        <source>Tentative drafts: keep the source</source>
        <translation>仅供参考的草稿：保留原文</translation>
    </message>
    <message>
        <source>Tentative drafts: leave empty</source>
        <translation>仅供参考的草稿：留空</translation>
    </message>
    <message>
        <source>This file exists and will be replaced.</source>
        <translation>此文件已存在，将被替换。</translation>
    </message>
    <message>
        <source>This folder exists. Files with the same names will be replaced.</source>
        <translation>此文件夹已存在，其中的同名文件将被替换。</translation>
    </message>
</context>
<context>
    <name>ClosePrompt</name>
    <message>
        <source>Your last changes are not saved</source>
        <translation>最近的更改尚未保存</translation>
    </message>
    <message>
        <source>Close without saving</source>
        <translation>不保存直接关闭</translation>
    </message>
    <message>
        <source>Before you close, save the project as another file or free some disk space.</source>
        <translation>关闭之前，请将项目另存为其他文件，或释放一些磁盘空间。</translation>
    </message>
</context>
<context>
    <name>LargeStepsView</name>
    <message>
        <source>Changing many segments</source>
        <translation>更改大量句段</translation>
    </message>
</context>
<context>
    <name>LedgerController</name>
    <message>
        <source>{0} segments changed</source>
        <translation>已更改 {0} 个句段</translation>
    </message>
    <message>
        <source>1 segment changed</source>
        <translation>已更改 1 个句段</translation>
    </message>
    <message>
        <source>Translating segments again: {0}…</source>
        <translation>正在重新生成 {0} 个句段的草稿…</translation>
    </message>
</context>
<context>
    <name>CommentsPanel</name>
    <message>
        <source>Add a comment</source>
        <translation>添加批注</translation>
    </message>
    <message>
        <source>Comments on the current segment</source>
        <translation>当前句段的批注</translation>
    </message>
    <message>
        <source>remove</source>
        <translation>删除</translation>
    </message>
</context>
<context>
    <name>HistoryLines</name>
    <message>
        <source>Changes since the draft:</source>
        <translation>草稿之后的更改：</translation>
    </message>
    <message>
        <source>History of the current segment</source>
        <translation>当前句段的历史</translation>
    </message>
    <message>
        <source>confirmed</source>
        <translation>已确认</translation>
    </message>
    <message>
        <source>draft</source>
        <translation>草稿</translation>
    </message>
    <message>
        <source>edited</source>
        <translation>已编辑</translation>
    </message>
    <message>
        <source>machine</source>
        <translation>机器</translation>
    </message>
    <message>
        <source>undone</source>
        <translation>已撤销</translation>
    </message>
</context>
<context>
    <name>Languages</name>
    <message>
        <source>Chinese</source>
        <translation>中文</translation>
    </message>
    <message>
        <source>English</source>
        <translation>英文</translation>
    </message>
</context>
<context>
    <name>ModelsDialog</name>
    <message>
        <source>Models</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Licence</source>
        <translation>许可证</translation>
    </message>
    <message>
        <source>Use for this project</source>
        <translation>用于此项目</translation>
    </message>
    <message>
        <source>Remove…</source>
        <translation>移除…</translation>
    </message>
    <message>
        <source>Licence and description of the model:</source>
        <translation>模型的许可证与说明：</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Languages</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Project</source>
        <translation>项目</translation>
    </message>
    <message>
        <source>Install from a file…</source>
        <translation>从文件安装…</translation>
    </message>
    <message>
        <source>Install from a folder…</source>
        <translation>从文件夹安装…</translation>
    </message>
    <message>
        <source>in use</source>
        <translation>使用中</translation>
    </message>
    <message>
        <source>cannot be read</source>
        <translation>无法读取</translation>
    </message>
    <message>
        <source>Get models…</source>
        <translation>获取模型…</translation>
    </message>
    <message>
        <source>Use for new documents</source>
        <translation>用于新文档</translation>
    </message>
    <message>
        <source>new documents</source>
        <translation>新文档</translation>
    </message>
    <message>
        <source>This model includes no licence text. See its website.</source>
        <translation>此模型不含许可证文本。请在模型的网站上查看许可证。</translation>
    </message>
    <message>
        <source>Tune the document memory for this project</source>
        <translation>为此项目调整文档记忆</translation>
    </message>
    <message>
        <source>Uses your confirmed segments to find how strongly the document memory should affect drafts. This takes about a minute. Some confirmed segments are set aside for testing. The result is kept only if it improves their drafts.</source>
        <translation>根据已确认的句段，计算文档记忆对草稿的影响应有多大。约需一分钟。部分已确认的句段会留作测试；只有这些句段的草稿有改善，才会保留结果。</translation>
    </message>
</context>
<context>
    <name>LanguagesDialog</name>
    <message>
        <source>Languages of the model</source>
        <translation>模型的语言</translation>
    </message>
    <message>
        <source>Choose…</source>
        <translation>请选择…</translation>
    </message>
    <message>
        <source>Translate from:</source>
        <translation>源语言：</translation>
    </message>
    <message>
        <source>Translate into:</source>
        <translation>目标语言：</translation>
    </message>
    <message>
        <source>This model does not specify its languages.</source>
        <translation>此模型没有说明支持的语言。</translation>
    </message>
    <message>
        <source>This model supports several languages.</source>
        <translation>此模型支持多种语言。</translation>
    </message>
</context>
<context>
    <name>ModelsController</name>
    <message>
        <source>Another model is being installed or tuned.</source>
        <translation>正在安装或调整另一个模型。</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Installing {0}…</source>
        <translation>正在安装 {0}…</translation>
    </message>
    <message>
        <source>Model archives ({0})</source>
        <translation>模型压缩包 ({0})</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>所有文件 (*)</translation>
    </message>
    <message>
        <source>Install a model from a file</source>
        <translation>从文件安装模型</translation>
    </message>
    <message>
        <source>Install a model from a folder</source>
        <translation>从文件夹安装模型</translation>
    </message>
    <message>
        <source>Installing {0}: {1} MB copied</source>
        <translation>正在安装 {0}：已复制 {1} MB</translation>
    </message>
    <message>
        <source>{0} is installed.</source>
        <translation>{0} 已安装。</translation>
    </message>
    <message>
        <source>Remove {0} from this computer?</source>
        <translation>要从本机移除 {0} 吗？</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Cancelled. Nothing was changed.</source>
        <translation>已取消，未作任何更改。</translation>
    </message>
    <message>
        <source>Unedited segments are translated again. Your own text does not change.</source>
        <translation>未编辑的句段将重新翻译，您自己的译文不变。</translation>
    </message>
    <message>
        <source>The document memory is unchanged.</source>
        <translation>文档记忆未调整。</translation>
    </message>
    <message>
        <source>Error on test text (lower is better): {0} before, {1} after, {2} without the memory.</source>
        <translation>测试句段上的误差（越小越好）：调整前 {0}，调整后 {1}，不使用文档记忆时 {2}。</translation>
    </message>
    <message>
        <source>The document memory was tuned.</source>
        <translation>文档记忆已调整。</translation>
    </message>
    <message>
        <source>Nothing was changed.</source>
        <translation>未作任何更改。</translation>
    </message>
    <message>
        <source>Projects that use this model keep all their text.</source>
        <translation>使用此模型的项目会保留全部文本。</translation>
    </message>
    <message>
        <source>This project now translates from {0} into {1}.</source>
        <translation>此项目现在从{0}译为{1}。</translation>
    </message>
    <message>
        <source>This project now uses the model that comes with Anaphora.</source>
        <translation>此项目现在使用 Anaphora 自带的模型。</translation>
    </message>
    <message>
        <source>This project now uses {0}.</source>
        <translation>此项目现在使用 {0}。</translation>
    </message>
    <message>
        <source>Tuning the document memory for {0}…</source>
        <translation>正在为 {0} 调整文档记忆…</translation>
    </message>
</context>
<context>
    <name>ReviewDialog</name>
    <message>
        <source>Changes</source>
        <translation>更改</translation>
    </message>
    <message>
        <source>Accept 1 change</source>
        <translation>接受 1 处更改</translation>
    </message>
    <message>
        <source>Accept review changes</source>
        <translation>接受审校更改</translation>
    </message>
    <message>
        <source>Accept {0} changes</source>
        <translation>接受 {0} 处更改</translation>
    </message>
    <message>
        <source>Rows also changed in this project: {0}. Select the changes that you want.</source>
        <translation>在此项目中也已更改的行：{0}。请选择要接受的更改。</translation>
    </message>
    <message>
        <source>Rows locked in this project: {0}.</source>
        <translation>在此项目中已锁定的行：{0}。</translation>
    </message>
    <message>
        <source>Rows not in this project: {0}.</source>
        <translation>不在此项目中的行：{0}。</translation>
    </message>
    <message>
        <source>Rows of {0} that differ from the project: {1}.</source>
        <translation>{0} 中与项目不同的行：{1}。</translation>
    </message>
</context>
<context>
    <name>ReviewModel</name>
    <message>
        <source>Change</source>
        <translation>更改</translation>
    </message>
    <message>
        <source>Locked in this project</source>
        <translation>在此项目中已锁定</translation>
    </message>
    <message>
        <source>No.</source>
        <translation>编号</translation>
    </message>
    <message>
        <source>Not in this project</source>
        <translation>不在此项目中</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>原文</translation>
    </message>
    <message>
        <source>Also changed in this project</source>
        <translation>在此项目中也已更改</translation>
    </message>
    <message>
        <source>Comment only</source>
        <translation>仅有批注</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>备注</translation>
    </message>
</context>
<context>
    <name>ReviewService</name>
    <message>
        <source>The review file cannot be read</source>
        <translation>无法读取审校文件</translation>
    </message>
    <message>
        <source>The review file cannot be written</source>
        <translation>无法写入审校文件</translation>
    </message>
    <message>
        <source>accepting review changes</source>
        <translation>接受审校更改</translation>
    </message>
</context>
<context>
    <name>ChecksDialog</name>
    <message>
        <source>Terms with several translations: {0}</source>
        <translation>有多个译名的术语：{0} 个</translation>
    </message>
    <message>
        <source>Checks</source>
        <translation>检查结果</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>类别</translation>
    </message>
    <message>
        <source>Go to the segment</source>
        <translation>转到该句段</translation>
    </message>
    <message>
        <source>All kinds ({0})</source>
        <translation>全部类别（{0}）</translation>
    </message>
    <message>
        <source>{0} (dismissed)</source>
        <translation>{0}（已忽略）</translation>
    </message>
    <message>
        <source>Tags and format strings</source>
        <translation>标签和格式字符串</translation>
    </message>
    <message>
        <source>Numbers and web addresses</source>
        <translation>数字和网址</translation>
    </message>
    <message>
        <source>Terms</source>
        <translation>术语</translation>
    </message>
    <message>
        <source>Consistency</source>
        <translation>一致性</translation>
    </message>
    <message>
        <source>Names</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Wording and punctuation</source>
        <translation>用词和标点</translation>
    </message>
    <message>
        <source>Length and reading speed</source>
        <translation>长度和阅读速度</translation>
    </message>
    <message>
        <source>Segments with issues: {0}</source>
        <translation>有问题的句段：{0}</translation>
    </message>
    <message>
        <source>{0}. Still checking…</source>
        <translation>{0}。仍在检查…</translation>
    </message>
    <message>
        <source>Dismiss</source>
        <translation>忽略</translation>
    </message>
    <message>
        <source>Fix</source>
        <translation>修正</translation>
    </message>
    <message>
        <source>Fix all listed</source>
        <translation>修正所列问题</translation>
    </message>
    <message>
        <source>Fixes only issues with exactly one safe fix. Confirmed segments do not change.</source>
        <translation>仅修正有唯一稳妥改法的问题。已确认的句段不变。</translation>
    </message>
    <message>
        <source>Other</source>
        <translation>其他</translation>
    </message>
    <message>
        <source>Restore</source>
        <translation>恢复</translation>
    </message>
    <message>
        <source>Show dismissed issues</source>
        <translation>显示已忽略的问题</translation>
    </message>
    <message>
        <source>The checks found no issues.</source>
        <translation>检查未发现问题。</translation>
    </message>
    <message>
        <source>Untranslated source text</source>
        <translation>未翻译的原文</translation>
    </message>
</context>
<context>
    <name>PretranslationController</name>
    <message>
        <source>The translation memory is not ready yet. Try again later.</source>
        <translation>翻译记忆库尚未就绪，请稍后重试。</translation>
    </message>
    <message>
        <source>pre-translating</source>
        <translation>预翻译</translation>
    </message>
    <message>
        <source>Pre-translated segments: {0}</source>
        <translation>已预翻译的句段：{0}</translation>
    </message>
    <message>
        <source>filling in matches</source>
        <translation>填入匹配</translation>
    </message>
    <message>
        <source>Segments filled in from the translation memory: {0}</source>
        <translation>已从翻译记忆库填入的句段：{0}</translation>
    </message>
</context>
<context>
    <name>PretranslationDialog</name>
    <message>
        <source>Fuzzy match, {0}–{1}%</source>
        <translation>模糊匹配，{0}–{1}%</translation>
    </message>
    <message>
        <source>Pre-translate</source>
        <translation>预翻译</translation>
    </message>
    <message>
        <source>Match</source>
        <translation>匹配</translation>
    </message>
    <message>
        <source>Found</source>
        <translation>找到</translation>
    </message>
    <message>
        <source>&amp;Pre-translate</source>
        <translation>预翻译(&amp;P)</translation>
    </message>
    <message>
        <source>Terms</source>
        <translation>术语</translation>
    </message>
    <message>
        <source>Adapted: different tags, numbers, case or character width</source>
        <translation>已调整：标签、数字、大小写或全半角不同</translation>
    </message>
    <message>
        <source>Context match</source>
        <translation>上下文匹配</translation>
    </message>
    <message>
        <source>Edited and confirmed segments do not change.</source>
        <translation>已编辑和已确认的句段不变。</translation>
    </message>
    <message>
        <source>Exact match</source>
        <translation>完全匹配</translation>
    </message>
    <message>
        <source>Looking for matches</source>
        <translation>正在查找匹配</translation>
    </message>
    <message>
        <source>Minimum match:</source>
        <translation>最低匹配度：</translation>
    </message>
    <message>
        <source>Replace machine drafts</source>
        <translation>替换机器草稿</translation>
    </message>
    <message>
        <source>Segments to fill in: {0}.</source>
        <translation>将填入的句段：{0}。</translation>
    </message>
    <message>
        <source>To fill in</source>
        <translation>将填入</translation>
    </message>
</context>
<context>
    <name>ProjectLanguages</name>
    <message>
        <source>Opening</source>
        <translation>正在打开</translation>
    </message>
</context>
<context>
    <name>ProjectLanguagesDialog</name>
    <message>
        <source>Languages of the project</source>
        <translation>项目的语言</translation>
    </message>
    <message>
        <source>&amp;Other languages:</source>
        <translation>其他语言(&amp;O)：</translation>
    </message>
    <message>
        <source>Translate from</source>
        <translation>源语言</translation>
    </message>
    <message>
        <source>Translate into</source>
        <translation>目标语言</translation>
    </message>
    <message>
        <source>&amp;From:</source>
        <translation>源语言(&amp;F)：</translation>
    </message>
    <message>
        <source>&amp;Into:</source>
        <translation>目标语言(&amp;I)：</translation>
    </message>
    <message>
        <source>&amp;Model's languages: {0}</source>
        <translation>模型的语言(&amp;M)：{0}</translation>
    </message>
    <message>
        <source>The languages determine where sentences end, which segments are translated, word counts, checks and the text direction. If the model does not support these languages, there are no drafts.</source>
        <translation>语言决定断句、待译句段、字数统计、检查和文字方向。如果模型不支持这些语言，则不生成草稿。</translation>
    </message>
</context>
<context>
    <name>PackService</name>
    <message>
        <source>The memory packs of this project cannot be read and are not used.</source>
        <translation>无法读取此项目的记忆包，因此不会使用。</translation>
    </message>
</context>
<context>
    <name>Rescue</name>
    <message>
        <source>{0} recovered</source>
        <translation>{0}（已恢复）</translation>
    </message>
</context>
<context>
    <name>ExportedBar</name>
    <message>
        <source>Exported to {0}</source>
        <translation>已导出到 {0}</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Show in folder</source>
        <translation>在文件夹中显示</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>ExportedController</name>
    <message>
        <source>No program on this computer can open {0}.</source>
        <translation>本机没有可打开 {0} 的程序。</translation>
    </message>
    <message>
        <source>No program on this computer can show folders.</source>
        <translation>本机没有可显示文件夹的程序。</translation>
    </message>
    <message>
        <source>{0} no longer exists.</source>
        <translation>{0} 已不存在。</translation>
    </message>
</context>
<context>
    <name>ModelDownloads</name>
    <message>
        <source>{0}, from {1}, licence {2}. New documents translated from {3} into {4} will use it.</source>
        <translation>{0}，来自 {1}，许可证 {2}。将用于从{3}译为{4}的新文档。</translation>
    </message>
    <message>
        <source>Get models</source>
        <translation>获取模型</translation>
    </message>
    <message>
        <source>Nothing has been installed.</source>
        <translation>未安装任何内容。</translation>
    </message>
    <message>
        <source>Another model is being downloaded.</source>
        <translation>正在下载另一个模型。</translation>
    </message>
    <message>
        <source>Get a better model ({0})</source>
        <translation>获取更好的模型（{0}）</translation>
    </message>
    <message>
        <source>{0} is installed.</source>
        <translation>{0} 已安装。</translation>
    </message>
    <message>
        <source>New documents translated from {0} into {1} will use it.</source>
        <translation>从{0}译为{1}的新文档将使用此模型。</translation>
    </message>
    <message>
        <source>Cancelled. Nothing was changed.</source>
        <translation>已取消，未作任何更改。</translation>
    </message>
</context>
<context>
    <name>GetModelsDialog</name>
    <message>
        <source>Get models</source>
        <translation>获取模型</translation>
    </message>
    <message>
        <source>Languages</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Quality</source>
        <translation>质量</translation>
    </message>
    <message>
        <source>Downloads {0} from {1} and takes up {2} on disk.</source>
        <translation>从 {1} 下载 {0}，占用磁盘空间 {2}。</translation>
    </message>
    <message>
        <source>Licence: {0}</source>
        <translation>许可证：{0}</translation>
    </message>
    <message>
        <source>More information: {0}</source>
        <translation>详细信息：{0}</translation>
    </message>
    <message>
        <source>Available models</source>
        <translation>可获取的模型</translation>
    </message>
    <message>
        <source>Download</source>
        <translation>下载</translation>
    </message>
    <message>
        <source>Download: {0}</source>
        <translation>下载：{0}</translation>
    </message>
    <message>
        <source>Use for new documents from {0} into {1}</source>
        <translation>用于从{0}译为{1}的新文档</translation>
    </message>
    <message>
        <source>Use for the open project now</source>
        <translation>立即用于当前打开的项目</translation>
    </message>
</context>
<context>
    <name>DownloadProgress</name>
    <message>
        <source>Downloading a model</source>
        <translation>正在下载模型</translation>
    </message>
</context>
<context>
    <name>GetModels</name>
    <message>
        <source>from {0}, licence {1}</source>
        <translation>来自 {0}，许可证 {1}</translation>
    </message>
    <message>
        <source>{0} from {1}, licence {2}</source>
        <translation>{0}，来自 {1}，许可证 {2}</translation>
    </message>
    <message>
        <source>Connecting…</source>
        <translation>正在连接…</translation>
    </message>
    <message>
        <source>{0} MB</source>
        <translation>{0} MB</translation>
    </message>
    <message>
        <source>{0} of {1}</source>
        <translation>已下载 {0}，共 {1}</translation>
    </message>
    <message>
        <source>Testing the model…</source>
        <translation>正在测试模型…</translation>
    </message>
</context>
<context>
    <name>ReadingChoicesDialog</name>
    <message>
        <source>Add…</source>
        <translation>添加…</translation>
    </message>
    <message>
        <source>Document import settings</source>
        <translation>文档导入设置</translation>
    </message>
    <message>
        <source>Apply</source>
        <translation>应用</translation>
    </message>
    <message>
        <source>Apply to all documents in the project, in all formats</source>
        <translation>应用于项目的所有文档，不限格式</translation>
    </message>
    <message>
        <source>Regular expressions, one per line. Matching text becomes a tag and is not translated.</source>
        <translation>正则表达式，每行一个。匹配的内容成为标签，不翻译。</translation>
    </message>
    <message>
        <source>Custom placeholders</source>
        <translation>自定义占位符</translation>
    </message>
</context>
<context>
    <name>ColumnsPart</name>
    <message>
        <source>Write translations to</source>
        <translation>译文写入</translation>
    </message>
    <message>
        <source>Columns to translate</source>
        <translation>要翻译的列</translation>
    </message>
    <message>
        <source>The first row contains column names and is not translated</source>
        <translation>第一行是列名，不翻译</translation>
    </message>
    <message>
        <source>the source cell</source>
        <translation>原文所在的单元格</translation>
    </message>
</context>
<context>
    <name>SteeringService</name>
    <message>
        <source>The memory rules of this project cannot be read and are not used. Set them again.</source>
        <translation>无法读取此项目的记忆规则，因此不会使用。请重新设置。</translation>
    </message>
</context>
<context>
    <name>PlaceField</name>
    <message>
        <source>Choose…</source>
        <translation>选择…</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>所有文件 (*)</translation>
    </message>
    <message>
        <source>Location</source>
        <translation>保存位置</translation>
    </message>
</context>
<context>
    <name>FirstSightBar</name>
    <message>
        <source>Show…</source>
        <translation>查看…</translation>
    </message>
    <message>
        <source>Do not suggest these again</source>
        <translation>不再提示这些条目</translation>
    </message>
    <message>
        <source>Recurring names and terms: {0}. Choose their translations once, and drafts use them everywhere.</source>
        <translation>重复出现的名称与术语：{0} 个。确定译名后，所有草稿都会采用。</translation>
    </message>
</context>
<context>
    <name>CandidatesModel</name>
    <message>
        <source>Name or term</source>
        <translation>名称或术语</translation>
    </message>
    <message>
        <source>Count</source>
        <translation>次数</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>类别</translation>
    </message>
    <message>
        <source>Translation</source>
        <translation>译名</translation>
    </message>
    <message>
        <source>person</source>
        <translation>人名</translation>
    </message>
    <message>
        <source>place</source>
        <translation>地名</translation>
    </message>
    <message>
        <source>organisation</source>
        <translation>机构</translation>
    </message>
    <message>
        <source>name</source>
        <translation>专名</translation>
    </message>
    <message>
        <source>term</source>
        <translation>术语</translation>
    </message>
</context>
<context>
    <name>RenderingDelegate</name>
    <message>
        <source>Translation</source>
        <translation>译名</translation>
    </message>
</context>
<context>
    <name>FirstSightDialog</name>
    <message>
        <source>Recurring names and terms</source>
        <translation>重复出现的名称与术语</translation>
    </message>
    <message>
        <source>Go to the segment</source>
        <translation>转到该句段</translation>
    </message>
    <message>
        <source>Later</source>
        <translation>以后再说</translation>
    </message>
    <message>
        <source>&amp;Add to the term base: {0}</source>
        <translation>加入术语库(&amp;A)：{0}</translation>
    </message>
    <message>
        <source>All recurring names and terms are already in a term base.</source>
        <translation>重复出现的名称与术语都已在术语库中。</translation>
    </message>
    <message>
        <source>Do not suggest these again</source>
        <translation>不再提示这些条目</translation>
    </message>
    <message>
        <source>Example sentence</source>
        <translation>例句</translation>
    </message>
    <message>
        <source>Select all</source>
        <translation>全选</translation>
    </message>
    <message>
        <source>Select none</source>
        <translation>全不选</translation>
    </message>
    <message>
        <source>Selected rows become terms of this project. Drafts that do not use these terms are translated again. Press Space to select, Enter to edit the translation.</source>
        <translation>勾选的条目会成为此项目的术语，不符合这些术语的草稿会重新生成。按空格键勾选，按回车键编辑译名。</translation>
    </message>
</context>
<context>
    <name>FirstSightController</name>
    <message>
        <source>Looking for recurring names and terms…</source>
        <translation>正在查找重复出现的名称与术语…</translation>
    </message>
    <message>
        <source>Added to the term base: {0}</source>
        <translation>已加入术语库：{0}</translation>
    </message>
    <message>
        <source>Names and terms are suggested only for translations from Chinese into English.</source>
        <translation>仅在中译英时提示名称与术语。</translation>
    </message>
</context>
<context>
    <name>CorrectionsPanel</name>
    <message>
        <source>This document</source>
        <translation>此文档</translation>
    </message>
    <message>
        <source>This project</source>
        <translation>此项目</translation>
    </message>
    <message>
        <source>All projects</source>
        <translation>所有项目</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>原文</translation>
    </message>
    <message>
        <source>Translation</source>
        <translation>译文</translation>
    </message>
    <message>
        <source>Replaces</source>
        <translation>替换前的译法</translation>
    </message>
    <message>
        <source>Segment</source>
        <translation>句段</translation>
    </message>
    <message>
        <source>Times used</source>
        <translation>使用次数</translation>
    </message>
    <message>
        <source>Corrections</source>
        <translation>更正</translation>
    </message>
    <message>
        <source>No corrections yet. Replace a word in a draft and confirm. Later drafts use your word.</source>
        <translation>还没有更正。改掉草稿中的一个词并确认，之后的草稿就会使用您的译法。</translation>
    </message>
    <message>
        <source>Edit…</source>
        <translation>编辑…</translation>
    </message>
    <message>
        <source>Remove…</source>
        <translation>删除…</translation>
    </message>
    <message>
        <source>Add as a term</source>
        <translation>添加为术语</translation>
    </message>
    <message>
        <source>Applies to</source>
        <translation>适用范围</translation>
    </message>
    <message>
        <source>Go to the segment</source>
        <translation>转到该句段</translation>
    </message>
</context>
<context>
    <name>CorrectionController</name>
    <message>
        <source>editing a correction</source>
        <translation>编辑更正</translation>
    </message>
    <message>
        <source>Translate “{0}” as:</source>
        <translation>将“{0}”译为：</translation>
    </message>
    <message>
        <source>Edit the correction</source>
        <translation>编辑更正</translation>
    </message>
    <message>
        <source>removing a correction</source>
        <translation>删除更正</translation>
    </message>
    <message>
        <source>Remove the correction “{0} → {1}”. Your translations do not change.</source>
        <translation>删除更正“{0} → {1}”。已有的译文不变。</translation>
    </message>
    <message>
        <source>changing where a correction applies</source>
        <translation>更改此条更正的适用范围</translation>
    </message>
</context>
<context>
    <name>CorrectionService</name>
    <message>
        <source>The corrections of this project cannot be read, so drafts do not follow them.</source>
        <translation>无法读取此项目的更正，因此草稿不会采用这些更正。</translation>
    </message>
</context>
<context>
    <name>TermColumnsDialog</name>
    <message>
        <source>Import terms</source>
        <translation>导入术语</translation>
    </message>
    <message>
        <source>Term column</source>
        <translation>术语所在的列</translation>
    </message>
    <message>
        <source>Translation column</source>
        <translation>译名所在的列</translation>
    </message>
    <message>
        <source>Import</source>
        <translation>导入</translation>
    </message>
    <message>
        <source>In “{0}”, choose one column for the terms and another for the translations.</source>
        <translation>请在“{0}”中选择一列作为术语，另一列作为译名。</translation>
    </message>
    <message>
        <source>The first row contains column names</source>
        <translation>第一行是列名</translation>
    </message>
</context>
<context>
    <name>Terms</name>
    <message>
        <source>Recurring na&amp;mes and terms…</source>
        <translation>重复出现的名称与术语(&amp;M)…</translation>
    </message>
    <message>
        <source>Next segment with an &amp;inconsistent term</source>
        <translation>下一个译名不一致的句段(&amp;I)</translation>
    </message>
    <message>
        <source>Add a &amp;term</source>
        <translation>添加术语(&amp;T)</translation>
    </message>
    <message>
        <source>Term &amp;base…</source>
        <translation>术语库(&amp;B)…</translation>
    </message>
    <message>
        <source>Insert term &amp;{0}</source>
        <translation>插入术语 &amp;{0}</translation>
    </message>
    <message>
        <source>Terms</source>
        <translation>术语</translation>
    </message>
    <message>
        <source>Term base</source>
        <translation>术语库</translation>
    </message>
    <message>
        <source>Insert a ter&amp;m</source>
        <translation>插入术语(&amp;M)</translation>
    </message>
    <message>
        <source>Every term has only one translation.</source>
        <translation>每个术语都只有一个译名。</translation>
    </message>
</context>
<context>
    <name>EngineState</name>
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
        <source>Compute d&amp;evice</source>
        <translation>计算设备(&amp;V)</translation>
    </message>
    <message>
        <source>No translation model is available. {0} You can still edit and export.</source>
        <translation>没有可用的翻译模型。{0}您仍可编辑和导出。</translation>
    </message>
    <message>
        <source>The translations in this document are not in {0}, the model's target language, so drafting is paused. Set the target language in Translate ▸ Languages of the project…, or choose another model in Translate ▸ Models….</source>
        <translation>此文档中译文的语言不是{0}（模型的目标语言），因此已暂停生成草稿。请在“翻译 ▸ 项目的语言…”中设置目标语言，或在“翻译 ▸ 模型…”中选择其他模型。</translation>
    </message>
    <message>
        <source>This computer is out of memory, so drafting is paused until memory is available. Close other programs or documents. Your confirmed text is still saved.</source>
        <translation>本机内存不足，已暂停生成草稿；有可用内存后会自动继续。请关闭其他程序或文档。您确认的内容照常保存。</translation>
    </message>
    <message>
        <source>This document contains no {0}, so there are no drafts. Choose a suitable model in Translate ▸ Models…, or set the languages in Translate ▸ Languages of the project….</source>
        <translation>此文档中没有{0}文字，因此不生成草稿。请在“翻译 ▸ 模型…”中选择合适的模型，或在“翻译 ▸ 项目的语言…”中设置语言。</translation>
    </message>
    <message>
        <source>This document is translated from {0} into {1}, but the project&apos;s model translates in the opposite direction, so there are no drafts. You can still edit, check and export. Choose another model in Translate ▸ Models….</source>
        <translation>此文档从{0}译为{1}，而项目的模型方向相反，因此不生成草稿。仍可编辑、检查和导出。请在“翻译 ▸ 模型…”中选择其他模型。</translation>
    </message>
</context>
<context>
    <name>Find</name>
    <message>
        <source>&amp;Find…</source>
        <translation>查找(&amp;F)…</translation>
    </message>
    <message>
        <source>Find and r&amp;eplace…</source>
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
</context>
<context>
    <name>Comments</name>
    <message>
        <source>&amp;Add a comment</source>
        <translation>添加批注(&amp;A)</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>Comments</source>
        <translation>批注</translation>
    </message>
    <message>
        <source>History</source>
        <translation>历史</translation>
    </message>
</context>
<context>
    <name>Dictionary</name>
    <message>
        <source>Dictionary</source>
        <translation>词典</translation>
    </message>
</context>
<context>
    <name>Packs</name>
    <message>
        <source>&amp;Export as a memory pack…</source>
        <translation>导出为记忆包(&amp;E)…</translation>
    </message>
    <message>
        <source>Memory &amp;packs…</source>
        <translation>记忆包(&amp;P)…</translation>
    </message>
    <message>
        <source>&amp;Import a memory pack…</source>
        <translation>导入记忆包(&amp;I)…</translation>
    </message>
</context>
<context>
    <name>Help</name>
    <message>
        <source>Anaphora closed unexpectedly last time. Nothing is lost.</source>
        <translation>Anaphora 上次意外退出，没有内容丢失。</translation>
    </message>
    <message>
        <source>Report a problem</source>
        <translation>报告问题</translation>
    </message>
    <message>
        <source>Your confirmed and typed text is in the project. Open the document again.</source>
        <translation>您确认和输入的内容都在项目中，重新打开文档即可。</translation>
    </message>
    <message>
        <source>&amp;Report a problem…</source>
        <translation>报告问题(&amp;R)…</translation>
    </message>
    <message>
        <source>&amp;Guide</source>
        <translation>使用指南(&amp;G)</translation>
    </message>
    <message>
        <source>&amp;Keyboard shortcuts…</source>
        <translation>键盘快捷键(&amp;K)…</translation>
    </message>
    <message>
        <source>&amp;About Anaphora</source>
        <translation>关于 Anaphora(&amp;A)</translation>
    </message>
</context>
<context>
    <name>Counts</name>
    <message>
        <source>S&amp;tatistics…</source>
        <translation>统计(&amp;T)…</translation>
    </message>
    <message>
        <source>Counting words and matches…</source>
        <translation>正在统计字数和匹配…</translation>
    </message>
    <message>
        <source>The translation memory is not open.</source>
        <translation>翻译记忆库未打开。</translation>
    </message>
</context>
<context>
    <name>Segments</name>
    <message>
        <source>&amp;Undo</source>
        <translation>撤销(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>重做(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Go to segment…</source>
        <translation>转到句段(&amp;G)…</translation>
    </message>
    <message>
        <source>&amp;Sentence rules…</source>
        <translation>断句规则(&amp;S)…</translation>
    </message>
    <message>
        <source>&amp;Join with the next segment</source>
        <translation>与下一句段合并(&amp;J)</translation>
    </message>
    <message>
        <source>Sp&amp;lit the segment…</source>
        <translation>拆分句段(&amp;L)…</translation>
    </message>
    <message>
        <source>Insert the next ta&amp;g</source>
        <translation>插入下一个标签(&amp;G)</translation>
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
        <source>Cop&amp;y the source to the translation</source>
        <translation>复制原文到译文(&amp;S)</translation>
    </message>
    <message>
        <source>Clear the t&amp;ranslation</source>
        <translation>清空译文(&amp;R)</translation>
    </message>
    <message>
        <source>Ta&amp;gs</source>
        <translation>标签(&amp;G)</translation>
    </message>
    <message>
        <source>&amp;Confirm and go to next</source>
        <translation>确认并转到下一句段(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Unconfirm</source>
        <translation>取消确认(&amp;T)</translation>
    </message>
    <message>
        <source>Change case</source>
        <translation>更改大小写</translation>
    </message>
    <message>
        <source>Confirm and g&amp;o to next unconfirmed</source>
        <translation>确认并转到下一个未确认的句段(&amp;U)</translation>
    </message>
    <message>
        <source>Put the next tag pair &amp;around the selection</source>
        <translation>用下一对标签括起所选文字(&amp;A)</translation>
    </message>
    <message>
        <source>Approve or unapprove</source>
        <translation>批准或取消批准</translation>
    </message>
</context>
<context>
    <name>Filter</name>
    <message>
        <source>Next changed &amp;draft</source>
        <translation>下一条已更改的草稿(&amp;D)</translation>
    </message>
    <message>
        <source>F&amp;ilter by text</source>
        <translation>按文本筛选(&amp;I)</translation>
    </message>
    <message>
        <source>Sho&amp;w only</source>
        <translation>只显示(&amp;W)</translation>
    </message>
</context>
<context>
    <name>EngineStatus</name>
    <message>
        <source>Drafting</source>
        <translation>正在生成草稿</translation>
    </message>
    <message>
        <source>Loading the model…</source>
        <translation>正在加载模型…</translation>
    </message>
    <message>
        <source>No model</source>
        <translation>无模型</translation>
    </message>
    <message>
        <source>Rebuilding the memory: {0} of {1}</source>
        <translation>正在重建记忆：{0} / {1}</translation>
    </message>
    <message>
        <source>paused</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <source>updating drafts</source>
        <translation>正在更新草稿</translation>
    </message>
    <message>
        <source>{0} left</source>
        <translation>剩余 {0}</translation>
    </message>
    <message>
        <source>Drafting: {0} of {1}</source>
        <translation>正在生成草稿：{0} / {1}</translation>
    </message>
    <message>
        <source>Offline model, {0}</source>
        <translation>离线模型，{0}</translation>
    </message>
    <message>
        <source>1 segment contains no {0}: translate it yourself</source>
        <translation>1 个句段中没有{0}文字，请自行翻译</translation>
    </message>
    <message>
        <source>All drafts are ready</source>
        <translation>草稿已全部生成</translation>
    </message>
    <message>
        <source>{0} segments contain no {1}: translate them yourself</source>
        <translation>{0} 个句段中没有{1}文字，请自行翻译</translation>
    </message>
    <message>
        <source>{0} tentative</source>
        <translation>{0} 条草稿仅供参考</translation>
    </message>
    <message>
        <source>{0}: not supported by the model</source>
        <translation>{0}：模型不支持此方向</translation>
    </message>
</context>
<context>
    <name>Checks</name>
    <message>
        <source>C&amp;hecks…</source>
        <translation>检查结果(&amp;Q)…</translation>
    </message>
    <message>
        <source>Dismiss: {0}</source>
        <translation>忽略：{0}</translation>
    </message>
    <message>
        <source>Fix: {0}</source>
        <translation>修正：{0}</translation>
    </message>
    <message>
        <source>Fixed segments: {0}</source>
        <translation>已修正的句段：{0}</translation>
    </message>
    <message>
        <source>Next &amp;segment to check</source>
        <translation>下一个需要检查的句段(&amp;H)</translation>
    </message>
    <message>
        <source>None of these issues has a safe fix.</source>
        <translation>这些问题没有稳妥的改法。</translation>
    </message>
    <message>
        <source>Still checking. No issues so far.</source>
        <translation>仍在检查，目前没有发现问题。</translation>
    </message>
    <message>
        <source>The checks found no issues, and no drafts have low confidence.</source>
        <translation>检查未发现问题，也没有低置信度的草稿。</translation>
    </message>
    <message>
        <source>fixing</source>
        <translation>修正</translation>
    </message>
</context>
<context>
    <name>Review</name>
    <message>
        <source>1 segment changed by the review</source>
        <translation>已按审校修改 1 个句段</translation>
    </message>
    <message>
        <source>Comments</source>
        <translation>批注</translation>
    </message>
    <message>
        <source>Export for re&amp;view…</source>
        <translation>导出审校文件(&amp;V)…</translation>
    </message>
    <message>
        <source>Export for review</source>
        <translation>导出审校文件</translation>
    </message>
    <message>
        <source>No.</source>
        <translation>编号</translation>
    </message>
    <message>
        <source>Reading the review…</source>
        <translation>正在读取审校文件…</translation>
    </message>
    <message>
        <source>Review</source>
        <translation>审校</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>原文</translation>
    </message>
    <message>
        <source>Status</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Translation</source>
        <translation>译文</translation>
    </message>
    <message>
        <source>Word documents (*.docx)</source>
        <translation>Word 文档 (*.docx)</translation>
    </message>
    <message>
        <source>{0} segments changed by the review</source>
        <translation>已按审校修改 {0} 个句段</translation>
    </message>
    <message>
        <source>&amp;Import a review…</source>
        <translation>导入审校文件(&amp;I)…</translation>
    </message>
    <message>
        <source>Exported for review: {0}</source>
        <translation>已导出审校文件：{0}</translation>
    </message>
    <message>
        <source>Import a review</source>
        <translation>导入审校文件</translation>
    </message>
    <message>
        <source>{0} contains no changes.</source>
        <translation>{0} 中没有更改。</translation>
    </message>
</context>
<context>
    <name>Spelling</name>
    <message>
        <source>Eng&amp;lish spelling</source>
        <translation>英语拼写(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;British</source>
        <translation>英式(&amp;B)</translation>
    </message>
    <message>
        <source>&amp;American</source>
        <translation>美式(&amp;A)</translation>
    </message>
    <message>
        <source>B&amp;oth</source>
        <translation>两者均可(&amp;O)</translation>
    </message>
    <message>
        <source>Add “{0}” to the dictionary</source>
        <translation>将“{0}”加入词典</translation>
    </message>
    <message>
        <source>C&amp;heck spelling</source>
        <translation>检查拼写(&amp;H)</translation>
    </message>
    <message>
        <source>Ignore “{0}” in this project</source>
        <translation>在此项目中忽略“{0}”</translation>
    </message>
    <message>
        <source>No suggestions</source>
        <translation>没有拼写建议</translation>
    </message>
    <message>
        <source>Spelling suggestions are not ready. Try again later.</source>
        <translation>拼写建议尚未就绪，请稍后重试。</translation>
    </message>
    <message>
        <source>Stop ignoring “{0}”</source>
        <translation>不再忽略“{0}”</translation>
    </message>
</context>
<context>
    <name>Tm</name>
    <message>
        <source>&amp;Fill in 100% and 101% matches automatically</source>
        <translation>自动填入 100% 和 101% 的匹配(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Export the project's translation memory…</source>
        <translation>导出项目记忆库(&amp;E)…</translation>
    </message>
    <message>
        <source>&amp;Import into the project's translation memory…</source>
        <translation>导入到项目记忆库(&amp;I)…</translation>
    </message>
    <message>
        <source>C&amp;oncordance</source>
        <translation>相关搜索(&amp;O)</translation>
    </message>
    <message>
        <source>Concordance</source>
        <translation>相关搜索</translation>
    </message>
    <message>
        <source>Export the s&amp;hared translation memory…</source>
        <translation>导出共享记忆库(&amp;H)…</translation>
    </message>
    <message>
        <source>Import into the &amp;shared translation memory…</source>
        <translation>导入到共享记忆库(&amp;S)…</translation>
    </message>
    <message>
        <source>P&amp;re-translate…</source>
        <translation>预翻译(&amp;R)…</translation>
    </message>
    <message>
        <source>R&amp;epetitions</source>
        <translation>重复句段(&amp;E)</translation>
    </message>
    <message>
        <source>Translation memor&amp;y</source>
        <translation>翻译记忆库(&amp;Y)</translation>
    </message>
    <message>
        <source>&amp;Use the shared translation memory</source>
        <translation>使用共享记忆库(&amp;U)</translation>
    </message>
</context>
<context>
    <name>Corrections</name>
    <message>
        <source>&amp;Corrections…</source>
        <translation>更正(&amp;C)…</translation>
    </message>
    <message>
        <source>Corrections</source>
        <translation>更正</translation>
    </message>
</context>
<context>
    <name>Documents</name>
    <message>
        <source>&amp;Add documents…</source>
        <translation>添加文档(&amp;A)…</translation>
    </message>
    <message>
        <source>&amp;Backups…</source>
        <translation>备份(&amp;B)…</translation>
    </message>
    <message>
        <source>&amp;Close document</source>
        <translation>关闭文档(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Export translation…</source>
        <translation>导出译文(&amp;E)…</translation>
    </message>
    <message>
        <source>Document import settin&amp;gs…</source>
        <translation>文档导入设置(&amp;H)…</translation>
    </message>
    <message>
        <source>&amp;Open…</source>
        <translation>打开(&amp;O)…</translation>
    </message>
    <message>
        <source>Documents</source>
        <translation>文档</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>Export a&amp;ll documents…</source>
        <translation>导出全部文档(&amp;L)…</translation>
    </message>
    <message>
        <source>New project from a &amp;folder…</source>
        <translation>从文件夹新建项目(&amp;F)…</translation>
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
        <source>Re&amp;move this document…</source>
        <translation>移除此文档(&amp;M)…</translation>
    </message>
    <message>
        <source>Save &amp;project as…</source>
        <translation>项目另存为(&amp;P)…</translation>
    </message>
</context>
<context>
    <name>Drafting</name>
    <message>
        <source>&amp;Pause drafting</source>
        <translation>暂停生成草稿(&amp;P)</translation>
    </message>
    <message>
        <source>Re&amp;sume drafting</source>
        <translation>继续生成草稿(&amp;S)</translation>
    </message>
    <message>
        <source>Suggestions</source>
        <translation>建议</translation>
    </message>
    <message>
        <source>This draft has changed</source>
        <translation>此草稿已更改</translation>
    </message>
    <message>
        <source>Translate again</source>
        <translation>重新翻译</translation>
    </message>
    <message>
        <source>Translate this segment &amp;again</source>
        <translation>重新翻译此句段(&amp;A)</translation>
    </message>
    <message>
        <source>Complete te&amp;xt while typing (Tab: use all, Ctrl+→: one word)</source>
        <translation>输入时自动补全（Tab 全部采用，Ctrl+→ 采用一词）(&amp;X)</translation>
    </message>
    <message>
        <source>Use a sugges&amp;tion</source>
        <translation>采用建议(&amp;K)</translation>
    </message>
    <message>
        <source>Use suggestion &amp;{0}</source>
        <translation>采用建议 &amp;{0}</translation>
    </message>
</context>
<context>
    <name>Explain</name>
    <message>
        <source>Details</source>
        <translation>详情</translation>
    </message>
    <message>
        <source>Topic</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>Use the con&amp;firmed word here</source>
        <translation>在此处采用已确认的词(&amp;F)</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>用词依据</translation>
    </message>
    <message>
        <source>Show why: next &amp;word</source>
        <translation>查看下一个词的用词依据(&amp;O)</translation>
    </message>
    <message>
        <source>Show why: pre&amp;vious word</source>
        <translation>查看上一个词的用词依据(&amp;W)</translation>
    </message>
</context>
<context>
    <name>ModelOffer</name>
    <message>
        <source>Other models…</source>
        <translation>其他模型…</translation>
    </message>
</context>
<context>
    <name>Models</name>
    <message>
        <source>&amp;Languages of the project…</source>
        <translation>项目的语言(&amp;L)…</translation>
    </message>
    <message>
        <source>M&amp;odels…</source>
        <translation>模型(&amp;X)…</translation>
    </message>
</context>
<context>
    <name>Steering</name>
    <message>
        <source>&amp;Timeline…</source>
        <translation>时间线(&amp;T)…</translation>
    </message>
    <message>
        <source>Document &amp;memory</source>
        <translation>文档记忆(&amp;M)</translation>
    </message>
    <message>
        <source>Memory &amp;rules…</source>
        <translation>记忆规则(&amp;S)…</translation>
    </message>
</context>
<context>
    <name>DiscoursePanel</name>
    <message>
        <source>Source</source>
        <translation>原文</translation>
    </message>
    <message>
        <source>Translation</source>
        <translation>译文</translation>
    </message>
    <message>
        <source>Expected</source>
        <translation>应为</translation>
    </message>
    <message>
        <source>Confidence</source>
        <translation>置信度</translation>
    </message>
    <message>
        <source>Segment</source>
        <translation>句段</translation>
    </message>
    <message>
        <source>Names, pronouns, tense and person</source>
        <translation>名称、代词、时态与人称</translation>
    </message>
    <message>
        <source>{0} segments</source>
        <translation>{0} 个句段</translation>
    </message>
    <message>
        <source>past tense</source>
        <translation>过去时</translation>
    </message>
    <message>
        <source>present tense</source>
        <translation>现在时</translation>
    </message>
    <message>
        <source>first person</source>
        <translation>第一人称</translation>
    </message>
    <message>
        <source>third person</source>
        <translation>第三人称</translation>
    </message>
    <message>
        <source>Pronouns and omitted subjects</source>
        <translation>代词与省略的主语</translation>
    </message>
    <message>
        <source>Tense and person of the narrative</source>
        <translation>叙述部分的时态与人称</translation>
    </message>
    <message>
        <source>no narrative found</source>
        <translation>未发现叙述性文字</translation>
    </message>
    <message>
        <source>Inconsistencies: {0}.</source>
        <translation>不一致之处：{0}。</translation>
    </message>
    <message>
        <source>Pronouns and tenses are checked only in translations from Chinese into English.</source>
        <translation>仅在中译英时检查代词与时态。</translation>
    </message>
    <message>
        <source>Spelt differently</source>
        <translation>拼写不同</translation>
    </message>
    <message>
        <source>Pronoun {0}</source>
        <translation>代词“{0}”</translation>
    </message>
    <message>
        <source>Omitted subject</source>
        <translation>省略的主语</translation>
    </message>
    <message>
        <source>Tense</source>
        <translation>时态</translation>
    </message>
    <message>
        <source>Person ({0})</source>
        <translation>人称（{0}）</translation>
    </message>
    <message>
        <source>likely</source>
        <translation>很可能</translation>
    </message>
    <message>
        <source>certain</source>
        <translation>确定</translation>
    </message>
</context>
<context>
    <name>DiscourseFeature</name>
    <message>
        <source>Discourse</source>
        <translation>篇章</translation>
    </message>
</context>
</TS>
