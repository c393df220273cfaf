"""What other libraries give, as a `Corpus`: one module a library.

Each function takes one of the library's own objects, a mapping from document names to such objects,
or several without names, which belong to the documents of the other side in order. It gives words
and entities, and what else the object says of words and mentions, and scores nothing:

    from corefmeter.adapters.spacy import from_spacy
    result = corefmeter.score("key.conll", from_spacy(docs), align="characters")

Nothing is imported of a library whose objects say all themselves.
"""
