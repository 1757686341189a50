"""Words that say nothing by themselves: no rendering of a term, nothing to be offered or rendered."""

from __future__ import annotations

_WORDS = (
    "a an the of to in on at by for with from as and or but is are was were be been it its this that "
    "these those which who what when where why how if then not no do does did can could will would shall "
    "may might must should has have had after before during until since all any each every some such "
    "there here also both i you he she we they me him us them my your his our their so than because "
    "although though while however therefore thus instead over under into about through between please "
    "without within upon among via per one including according regarding based"
)
FUNCTION_WORDS = frozenset(_WORDS.split())

_CHINESE = (
    "的 地 得 了 着 过 之 所 是 在 和 与 跟 及 或 并 且 而 但 则 若 也 都 还 就 才 又 再 很 更 不 没 "
    "未 把 被 将 让 使 从 自 对 由 于 为 以 按 向 往 因 随 除 经 该 此 本 其 各 某 每 这 那 哪 它 他 "
    "她 我 你 您 吗 呢 吧 啊 可 能 会 应 须 要 可以 能够 可能 应该 应当 必须 需要 以及 并且 而且 或者 "
    "还是 但是 然而 不过 因此 因而 所以 因为 由于 如果 假如 虽然 尽管 即使 无论 不管 只要 只有 否则 "
    "那么 从而 于是 此外 另外 然后 基于 根据 按照 依照 关于 对于 通过 经过 随着 为了 除了 直到 我们 "
    "你们 您们 他们 她们 它们 自己 这个 那个 这些 那些 这种 那种 这样 那样 其中 一个 一些 一种 任何 "
    "所有 什么 如何 怎么 哪些 之前 之后 之间 以上 以下 时候 的话"
)
CHINESE_FUNCTION_WORDS = frozenset(_CHINESE.split())
