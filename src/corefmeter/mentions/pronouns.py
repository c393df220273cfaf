"""Pronouns by language, for files without parts of speech."""

from __future__ import annotations

_WORDS = {
    "en": (
        "i me my mine myself you your yours yourself yourselves he him his himself she her hers "
        "herself it its itself we us our ours ourselves they them their theirs themselves themself "
        "this that these those who whom whose which one oneself each other there"
    ),
    "de": (
        "ich mich mir mein meine meinen meinem meiner meines du dich dir dein deine deinen deinem "
        "deiner deines er ihn ihm sein seine seinen seinem seiner seines sie ihr ihre ihren ihrem "
        "ihrer ihres es wir uns unser unsere unseren unserem unserer unseres euch euer eure euren "
        "eurem eurer eures ihnen sich der die das den dem dessen deren denen dies diese dieser "
        "dieses diesen diesem jene jener jenes jenen jenem wer wen wem wessen man"
    ),
    "nl": (
        "ik 'k me mij mijn m'n mijne mezelf mijzelf je jij jou jouw jouwe jezelf u uw uwe uzelf "
        "hij ie 'm hem zijn z'n zijne zichzelf zich ze zij haar d'r hare het 't we wij ons onze "
        "onszelf jullie hun hen dit dat deze die wie wiens wier wat er men daar hier"
    ),
}

PRONOUNS = {language: frozenset(words.split()) for language, words in _WORDS.items()}
