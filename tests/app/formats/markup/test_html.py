"""HTML: texts are found, code is protected, and everything else keeps its characters."""

from __future__ import annotations

import pytest
from rendering import render

from anaphora.core.language_pair import CHINESE_TO_ENGLISH
from anaphora.core.notes import Note, NoteKind
from anaphora.formats.base.format import ReadOptions
from anaphora.formats.base.pieces import Kind, Piece
from anaphora.formats.base.segments import cut, spans_by_rules
from anaphora.formats.base.target_language import TargetLanguage
from anaphora.formats.markup.html import FORMAT
from anaphora.formats.registry import read_bytes
from anaphora.formats.segmentation.segmenter import DEFAULT_SEGMENTER
from anaphora.project.importing.sentence_rules import user_segmenter

PAGE = """<!DOCTYPE html>
<html lang="zh"><head><meta charset="utf-8"><title>系统设计 &amp; 实现</title>
<meta name="description" content="一个&quot;页面&quot;的说明">
<style>p{color:red}</style><script>var a="<p>不译</p>";</script></head>
<body><h1>标题</h1>
<p>缓存是<b>关键</b>部分。它保存
  最近的<a href="x" title="去看">词</a>。<br>第二行<code>中文=1</code>的文字<img src=a alt=图片>。</p>
<ul><li>一<li>二 &nbsp; &copy; 三<ul><li>四</ul></ul>
<pre>代码 中文</pre><p translate=no>不译</p><p>请<span class="notranslate">福</span>看<!-- 注释 -->书</p>
<input type=submit value='提交' placeholder="提示" aria-label="标签"><input value="不译">
</body></html>
"""


def sources(page: str) -> list[str]:
    return [segment.source for segment in read_bytes(page.encode(), "a.html").segments]


def translate(page: str, targets: dict[str, str]) -> str:
    document = read_bytes(page.encode(), "a.html")
    assert set(targets) <= {segment.source for segment in document.segments}
    ids = {s.id: targets[s.source] for s in document.segments if s.source in targets}
    return render(page.encode(), "html", ids).decode()


def test_page_is_split_into_expected_segments() -> None:
    document = read_bytes(PAGE.encode(), "a.html")
    assert [segment.source for segment in document.segments] == [
        "系统设计 & 实现",
        '一个"页面"的说明',
        "标题",
        "缓存是{1}关键{/1}部分。",
        "它保存最近的{1}词{/1}。",
        "第二行{1/}的文字{2/}。",
        "去看",
        "图片",
        "一",
        "二 \u00a0 © 三",
        "四",
        "请{1/}看{2/}书",
        "提交",
        "提示",
        "标签",
    ]
    assert dict(document.segments[5].tags) == {"{1/}": "code", "{2/}": "picture"}
    assert document.segments[7].notes == (Note(NoteKind.PLACE, "Alternative text of a picture"),)
    assert document.notes and "2" in document.notes[0]
    assert render(PAGE.encode(), "html", {}) == PAGE.encode()


def test_only_translated_text_changes_on_a_page() -> None:
    targets = {
        "缓存是{1}关键{/1}部分。": "The cache is {1}key{/1} & <good>.",
        "它保存最近的{1}词{/1}。": "It keeps the last {1}words{/1}.",
        "去看": 'See "it"',
        "图片": "A picture",
        "二 \u00a0 © 三": "two\u00a0© three",
    }
    result = translate(PAGE, targets)
    expected = (
        PAGE.replace("缓存是<b>关键</b>部分。", "The cache is <b>key</b> &amp; &lt;good&gt;. ")
        .replace("它保存\n  最近的", "It keeps the last ")
        .replace(">词</a>。", ">words</a>.")
        .replace("去看", "See &quot;it&quot;")
        .replace("alt=图片", 'alt="A picture"')
        .replace("二 &nbsp; &copy; 三", "two&nbsp;&copy; three")
    )
    assert result == expected


def test_broken_markup_stays_as_it_is() -> None:
    page = "<p>一<b>二<i>三</b>四</i><p>五 < 六 & 七<div>八</p></div><a href='x>九</a>"
    assert "五 < 六 & 七" in sources(page)
    assert render(page.encode(), "html", {}) == page.encode()
    result = translate(page, {"五 < 六 & 七": "five < six & seven"})
    assert result == page.replace("五 < 六 & 七", "five &lt; six &amp; seven")


@pytest.mark.parametrize("name", ["gb2312", "gbk", "big5", "utf-16", "utf-8-sig"])
def test_encodings_stay(name: str) -> None:
    page = f'<html><meta charset="{name}"><p>文字</p>'
    data = page.encode(name)
    document = read_bytes(data, "a.html")
    assert [segment.source for segment in document.segments] == ["文字"]
    assert render(data, "html", {}) == data
    result = render(data, "html", {document.segments[0].id: "letters 📄 字"}).decode(name)
    picture = "📄" if name.startswith("utf") else "&#128196;"
    assert result == page.replace("文字", f"letters {picture} 字")


def test_page_with_wrong_encoding_declaration() -> None:
    data = '<meta charset="gbk"><p>文字是这样的，不是那样的</p>'.encode()
    assert read_bytes(data, "a.html").encoding == "utf-8"
    assert render(data, "html", {}) == data


def test_xhtml_and_named_entities() -> None:
    head = '<?xml version="1.0"?><!DOCTYPE html [<!ENTITY x "y">]><html><title/>'
    page = head + "<p>甲&x;&nbsp;乙<br/>丙</p></html>"
    assert sources(page) == ["甲{1/}\u00a0乙", "丙"]
    result = translate(page, {"甲{1/}\u00a0乙": "A{1/}\u00a0B\nC"})
    assert result == head + "<p>A&x;&nbsp;B<br/>C<br/>丙</p></html>"


def test_sentence_starting_in_unsplittable_piece_joins_previous_one() -> None:
    pieces = [Piece(Kind.TEXT, "好。不好。", "&entity;"), Piece(Kind.TEXT, "完。", "完。")]
    sentences = cut(pieces, spans_by_rules(DEFAULT_SEGMENTER)).sentences
    assert [sentence.source for sentence in sentences] == ["好。不好。", "完。"]
    assert [sentence.span for sentence in sentences] == [(0, 5), (5, 7)]


@pytest.mark.parametrize("name", ["a.html", "a.xhtml"])
def test_line_breaks_in_elements_without_br(name: str) -> None:
    head = '<?xml version="1.0"?>' if name == "a.xhtml" else ""
    page = (
        head + "<html><head><title>题目</title></head><body><p>段落</p><textarea>长文</textarea>"
        "<select><option>选项</option></select><svg><title>图名</title><text>图字</text>"
        "<foreignObject><p>图段</p></foreignObject></svg><p>末尾</p></body></html>"
    )
    document = read_bytes(page.encode(), name)
    notes = {segment.source: segment.notes[0].text for segment in document.segments if segment.notes}
    assert (notes["题目"], notes["图名"]) == ("Title of the page", "Title of a picture")
    targets = {segment.id: "One\ntwo" for segment in document.segments}
    after = render(document.data, "html", targets).decode()
    broken = "One<br/>two" if name == "a.xhtml" else "One<br>two"
    assert after == (
        head + f"<html><head><title>One two</title></head><body><p>{broken}</p><textarea>One\ntwo</textarea>"
        "<select><option>One two</option></select><svg><title>One two</title><text>One two</text>"
        f"<foreignObject><p>{broken}</p></foreignObject></svg><p>{broken}</p></body></html>"
    )


def test_code_and_comments_keep_their_positions() -> None:
    page = (
        "<p>共<?php echo $a->n; ?>次，<!--more-->继续<!--[if IE]>x<![endif]-->阅读"
        "<script>var a='中文';</script>。"
        '<!--#include file="a.html" -->完。</p><?php if ($a->b > 1): ?><p>你好</p><?php endif; ?>'
    )
    assert sources(page) == ["共{1/}次，{2/}继续{3/}阅读{4/}。", "完。", "你好"]
    translated = translate(
        page, {"共{1/}次，{2/}继续{3/}阅读{4/}。": "Read {3/}on{2/} {1/} times{4/}.", "完。": "End."}
    )
    assert translated == (
        "<p>Read <!--[if IE]>x<![endif]-->on<!--more--> <?php echo $a->n; ?> times"
        "<script>var a='中文';</script>."
        '<!--#include file="a.html" --> End.</p><?php if ($a->b > 1): ?><p>你好</p><?php endif; ?>'
    )


def test_template_syntax_is_protected_and_keeps_its_characters() -> None:
    page = (
        "<p>{% if n < b and c > 2 %}有多条{% endif %}消息 <%= x > 1 %> 个。"
        '<a title="打开 {{ a > b }} 页">打开${name}</a>'
        "</p><p>{{ n < 3 ? '是' : '否' }}项</p>"
    )
    document = read_bytes(page.encode(), "a.html")
    assert [segment.source for segment in document.segments] == [
        "有多条{1/}消息 {2/} 个。",
        "打开{1/}",
        "打开 {1/} 页",
        "{1/}项",
    ]
    assert document.notes == ("Template code is not translated. Places that contain text: 1.",)
    result = translate(
        page,
        {
            "有多条{1/}消息 {2/} 个。": "{2/} messages{1/} > 1.",
            "打开{1/}": "Open {1/}",
            "打开 {1/} 页": "Open page {1/}",
            "{1/}项": "Item {1/}",
        },
    )
    assert result == (
        "<p>{% if n < b and c > 2 %}<%= x > 1 %> messages{% endif %} &gt; 1. "
        "<a title=\"Open page {{ a > b }}\">Open ${name}</a></p><p>Item {{ n < 3 ? '是' : '否' }}</p>"
    )


def test_ruby_becomes_base_text_in_translation() -> None:
    page = (
        "<p>我爱<ruby>北<rt>běi</rt>京<rp>(</rp><rt>jīng</rt><rp>)</rp></ruby>天安门。"
        "看<ruby><rb>汉</rb><rt>hàn</rt><rb>字</rb><rt>zì</rt></ruby>。</p>"
    )
    assert sources(page) == ["我爱北京天安门。", "看汉字。"]
    assert render(page.encode(), "html", {}) == page.encode()
    assert translate(page, {"我爱北京天安门。": "I love Tiananmen in Beijing."}) == (
        "<p>I love Tiananmen in Beijing.看<ruby><rb>汉</rb><rt>hàn</rt><rb>字</rb><rt>zì</rt></ruby>。</p>"
    )
    assert sources("<p>看<ruby>汉<rt>hàn<rb>字<rt>zì</ruby>。</p>") == ["看汉字。"]
    assert sources("<p>看<ruby><b>汉</b><rt>hàn</rt></ruby>字。</p>") == ["看汉字。"]
    assert sources("<P>看<RUBY>汉<RT>hàn</RT></RUBY>字。</P>") == ["看汉字。"]


def test_drawing_texts_are_separate_and_formulas_get_labels() -> None:
    page = (
        '<p>看<svg><title>图</title><g><text x="1">开<tspan dy="1">始</tspan></text><rect/>'
        '<text>结束</text></g></svg>和<math alttext="面积"><mi>x</mi></math>'
        '、<math alttext="\\frac{a}{b}"></math>。</p>'
    )
    assert sources(page) == ["看{1/}和{2/}、{3/}。", "图", "开{1}始{/1}", "结束", "面积"]
    assert translate(page, {"开{1}始{/1}": "Sta{1}rt{/1}\nit", "结束": "End", "面积": "Area"}) == (
        '<p>看<svg><title>图</title><g><text x="1">Sta<tspan dy="1">rt</tspan> it</text><rect/>'
        '<text>End</text></g></svg>和<math alttext="Area"><mi>x</mi></math>'
        '、<math alttext="\\frac{a}{b}"></math>。</p>'
    )


def test_words_in_scripts_and_styles_are_counted() -> None:
    page = (
        '<script type="application/ld+json">{"name": "页面"}</script><style>p::before {content: "注"}</style>'
        "<script>let a = 1</script><!--[if lt IE 9]><p>请升级</p><![endif]--><!-- 编者注 -->"
        '<p data-tip="提示" :title="`第${n}页`" onclick="alert(\'好\')" data-x="1" id="甲">正文</p>'
        "<!--[if IE]>"
    )
    document = read_bytes(page.encode(), "a.html")
    assert [segment.source for segment in document.segments] == ["正文"]
    assert "Scripts and styles are not translated. Places that contain text: 2." in document.notes
    assert not read_bytes(page.encode(), "a.html", segmenter=user_segmenter("en")).notes


@pytest.mark.parametrize("codec", ["gb18030", "koi8-r", "utf-8-sig", "utf-16"])
def test_page_keeps_encoding_and_declares_target_language(codec: str) -> None:
    declared = "" if codec.startswith("utf") else f'<meta charset="{codec}">'
    text = "Договор подписан сторонами." if codec == "koi8-r" else "合同由双方签署，自签署之日起生效。"
    page = f'<!DOCTYPE html>\n<html lang="zh"><head>{declared}</head><body><p>{text}</p></body></html>'
    data = page.encode(codec)
    (segment,) = read_bytes(data, "a.html").segments
    assert segment.source == text
    target = TargetLanguage.of(CHINESE_TO_ENGLISH)
    assert target is not None
    named = FORMAT.name_language(data, ReadOptions("zh"), target)
    assert named.decode(codec) == page.replace('"zh"', '"en"') and named[:2] == data[:2]
