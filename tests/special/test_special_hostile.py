"""What nobody should pass to a special function: nothing crashes, hangs or changes its input, and NaN does not vanish.

The calls are those of `special_hostile_calls.py`, in other processes: a call that ends its process, or does not return,
fails here by its name, and the next process goes on after it.
"""

from __future__ import annotations

import json
import queue
import subprocess
import sys
import threading
from collections import deque
from itertools import chain

import pytest

import special_hostile_calls
from wirtinger import special

SECONDS = 60
"""So long a process may say nothing: a call takes milliseconds, and an import seconds on a busy machine."""
FEW, MANY = 4, 40
"""So many processes share the functions."""
STRIDE = 37
"""One of so many calls is in the sample of every run."""
SETTINGS = {"errstate", "geterr", "seterr", "SpecialFunctionError", "SpecialFunctionWarning"}
NAMES = sorted(set(special.__all__) - SETTINGS)


def complaints(names, stride):
    """What is wrong with the calls of some functions."""
    first, found = 0, []
    while first is not None:
        command = [sys.executable, special_hostile_calls.__file__, str(first), str(stride), *names]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
            last = follow(process, found)
            if process.wait() == 0:
                return found
            found.append(f"{last} ended the process with {process.returncode}: {process.stderr.read()[-300:]}")
            first = int(last.split()[0]) + 1 if last else None
    return found


def follow(process, found):
    """Collect what a process says; the call that it was at when it ended, or was killed for its silence."""
    lines, last = queue.SimpleQueue(), ""
    threading.Thread(target=lambda: deque(map(lines.put, chain(process.stdout, [""])), 0), daemon=True).start()
    while True:
        try:
            line = lines.get(timeout=SECONDS)
        except queue.Empty:
            process.kill()
            return last
        if not line:
            return last
        if not line.startswith('"'):
            last = line.strip()
        elif text := json.loads(line):
            found.append(f"{last}: {text}")


@pytest.mark.parametrize("group", range(FEW))
def test_some_calls(group):
    assert not complaints(NAMES[group::FEW], STRIDE)


@pytest.mark.exhaustive
@pytest.mark.parametrize("group", range(MANY))
def test_all_calls(group):
    assert not complaints(NAMES[group::MANY], 1)


def test_a_call_that_ends_the_process_is_found(tmp_path, monkeypatch):
    script = tmp_path / "script.py"
    script.write_text(
        "import os, sys\n"
        "first = int(sys.argv[1])\n"
        "for n in range(first, 3):\n"
        "    print(n, 'erf', flush=True)\n"
        "    os.abort() if n == 1 else print('\"\"' if n == 0 else '\"is wrong\"', flush=True)\n"
    )
    monkeypatch.setattr(special_hostile_calls, "__file__", str(script))
    ended, wrong = complaints(["erf"], 1)
    assert ended.startswith("1 erf ended the process")
    assert wrong == "2 erf: is wrong"
