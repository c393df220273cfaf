"""Objects of other libraries as a `Corpus`: one module a library.

Each function takes one object of the library, a mapping from document names to objects, or several
without names, which belong to the documents of the other side in order:

    from corefmeter.adapters.spacy import from_spacy
    result = corefmeter.score("key.conll", from_spacy(docs), align="characters")
"""
