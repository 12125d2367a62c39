"""A pytest plugin that writes one line of JSON for every finished test: its id, outcome, seconds and failure text."""

import json


def pytest_addoption(parser):
    parser.addoption("--record-outcomes", metavar="FILE", required=True, help="where to write the outcomes, one JSON line a test")


def pytest_configure(config):
    config.pluginmanager.register(OutcomeRecorder(config))


class OutcomeRecorder:
    """Appends to the file at once, so that the outcomes before a crash of the interpreter are kept."""

    def __init__(self, config):
        self.config = config
        self.file = config.getoption("--record-outcomes")

    def pytest_runtest_logreport(self, report):
        category, *_ = self.config.hook.pytest_report_teststatus(report=report, config=self.config)
        if category:
            record = [report.nodeid, category, report.duration, report.longreprtext if report.failed else ""]
            with open(self.file, "a", encoding="utf-8") as file:
                print(json.dumps(record), file=file)
