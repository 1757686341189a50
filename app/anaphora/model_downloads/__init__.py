"""Getting models: where they are offered, downloading, installing, the command and the view.

    catalogue, licences    what is offered: plain values
    sources/               who offers models, a small class each, behind `sources.source.Source`
    snapshot               the lists that ship, and those that were asked for since
    transport              the only module that opens a connection
    download, unpacking    a file with its checksum
    getting                a model: downloaded, checked, installed as a whole or not at all
    service, view/         the same in the window
    command                `anaphora models`

Nothing here connects to anything until a function is called that a click or a command stands for. Only
`service` and `view` know Qt."""
