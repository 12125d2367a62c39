"""A pytest plugin that writes a line of JSON for every test: its id, how it ended, and the text of its failure."""

import json


def pytest_addoption(parser):
    parser.addoption("--record-outcomes", metavar="FILE", required=True, help="where to write one line of JSON a test")


def pytest_configure(config):
    config.pluginmanager.register(OutcomeRecorder(config))


class OutcomeRecorder:
    """Writes at once, so that what was recorded before a crash of the interpreter is kept."""

    def __init__(self, config):
        self.config = config
        self.file = config.getoption("--record-outcomes")

    def pytest_runtest_logreport(self, report):
        word, *_ = self.config.hook.pytest_report_teststatus(report=report, config=self.config)
        if word:
            with open(self.file, "a", encoding="utf-8") as file:
                print(json.dumps([report.nodeid, word, report.longreprtext if report.failed else ""]), file=file)
