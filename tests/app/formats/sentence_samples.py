"""Texts as the lists of sentences that a reader would split them into."""

from __future__ import annotations

CHINESE = [
    ["今天下雨。", "我们不出门！", "你呢？"],
    ["他说：“好的。”", "然后走了。"],
    ["（见附录。）", "下一节再谈。"],
    ["【警告！】", "请先备份。"],
    ["她问：「真的吗？」", "没人回答。"],
    ["『走吧。』", "《完。》", "没了。"],
    ["“太好了！”，他喊道。"],
    ["先安装；再配置；最后重启。"],
    ["我……不知道。"],
    ["他沉默了……”", "门开了。"],
    ["真的吗？！", "是真的。"],
    ["圆周率约为3.14，版本是2.0.1。", "完。"],
    ["请访问 https://example.com/a?b=1.2!c 下载。", "谢谢。"],
    ["运行 setup.py 即可。", "Node.js 也要装。"],
    ["1. 安装依赖。", "再启动。"],
    ["好。", "2. 然后重启。"],
    ["没有标点的标题"],
    ["他说'好。'", "她走了。"],
    ['"好。"', '"不好。"', "他说。"],
    ["价格为 1,000.50 元。", "共 3 个。"],
    ["用法见下.", "下一句在此.", "完"],
    ["选项 A. 如下所示。", "完。"],
    ["很久……。", "后来好了。"],
]
ENGLISH = [
    ["It rains.", "We stay in!", "And you?"],
    ["Use a list, e.g. Python's own.", "Then stop."],
    ["Dr. Smith met J. R. Brown in the U.S. Army.", "They talked."],
    ["Version 2.0.1 costs 3.50 dollars.", "Buy it."],
    ["See https://example.com/a.html?x=1.", "Then go on."],
    ["He said “stop.”", "Nobody did."],
    ['He said "stop."', "Nobody did."],
    ["He said \"he said 'stop.'\"", "Nobody did."],
    ["See Fig. 3 and No. 5 for details.", "The answer is no.", "Really."],
    ["Wait... what?", "Nothing."],
    ["Apples, pears, etc. are fruit."],
    ["Really?!", "Yes (of course.)", "Fine."],
    ["1. Install it.", "Then run it.", "2. Stop it."],
]
