"""Runs the samples of the documentation pages, and prints those that are not answered by 200.

samples.py URL FILE, where FILE holds a JSON list of a sample's name, its program and its credentials.
"""

import json
import sys
import time
import traceback

url, file = sys.argv[1:]

with open(file, encoding="utf-8") as text:
    samples = json.load(text)

for name, program, credentials in samples:
    # The sample itself takes the answer's body alone.
    program = program.replace(".sync(", ".sync_detailed(")
    names = {"url": url, **credentials}
    try:
        exec(program, names)  # noqa: S102
        answer = names["answer"]
        if answer.status_code != 200:
            print(f"{name}: {answer.status_code.value} {answer.content.decode()[:300]}")
    except Exception:
        print(f"{name}: {traceback.format_exc(limit=-1)}")
    time.sleep(0.2)
