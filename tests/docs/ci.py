"""ci.py EXAMPLES GRADPROOF CORRECT WRONG: examples/ci/github.yml and gitlab.yml are YAML of the shape that the two services
read; their commands are valid shell; and the commands that verify do what docs/ci.md says: a correct library passes, a wrong one
fails the job, and the artifacts named in the file are there in both cases."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

try:
    import yaml
except ModuleNotFoundError:
    print("skipped: Python has no module yaml (Debian: python3-yaml)")
    sys.exit(77)

examples, gradproof, correct, wrong = map(pathlib.Path, sys.argv[1:])
github = yaml.safe_load((examples / "github.yml").read_text())["jobs"]["verify"]
gitlab = yaml.safe_load((examples / "gitlab.yml").read_text())["verify"]

steps = {step.get("name", step.get("uses")): step for step in github["steps"]}
upload = steps["Report, junit.xml and findings"]
assert upload["if"] == "always()" and upload["uses"].startswith("actions/upload-artifact@")
restore, save = steps["Findings of earlier runs, which verify tries first"], steps["Findings of this run"]
assert restore["uses"].startswith("actions/cache/restore@") and save["uses"].startswith("actions/cache/save@")
assert save["if"] == "always()", "findings are there where verify failed"
assert (save["with"]["path"], save["with"]["key"]) == (restore["with"]["path"], restore["with"]["key"])
assert save["with"]["key"].startswith(restore["with"]["restore-keys"])
assert github["steps"].index(restore) < github["steps"].index(steps["Verify"]) < github["steps"].index(save)
packages = steps["Packages of gradproof made by an earlier run"]["with"]["path"]
assert packages.endswith("/*.deb") and f"ls {packages}" in steps["Install gradproof"]["run"]
assert steps["Verify"]["if"] == f"success() || steps.{steps['Cases that failed once']['id']}.outcome == 'failure'"
assert gitlab["artifacts"]["when"] == "always" and gitlab["artifacts"]["reports"]["junit"] == "report/junit.xml"

commands = [step["run"] for step in github["steps"] if "run" in step] + gitlab["before_script"] + gitlab["script"]
for command in commands:
    assert isinstance(command, str), f"no command but YAML's own: {command}"
    subprocess.run(["sh", "-n", "-c", command], check=True)

services = {
    "github.yml": ([steps[name]["run"] for name in ("Cases that failed once", "Verify")], github["env"],
                   upload["with"]["path"].split()),
    "gitlab.yml": (["\n".join(gitlab["script"])], gitlab["variables"], gitlab["artifacts"]["paths"]),
}


def job(folder, library, script, variables):
    """The exit status of the first command that fails, as on the service, which runs all of them."""
    place = folder / variables["LIBRARY"]
    place.parent.mkdir(exist_ok=True)
    shutil.copy(library, place)
    (folder / "bin").mkdir(exist_ok=True)
    (folder / "bin" / "gradproof").unlink(missing_ok=True)
    (folder / "bin" / "gradproof").symlink_to(gradproof)
    environment = os.environ | variables | {
        "TIME": "3", "GITHUB_RUN_NUMBER": "7", "CI_PIPELINE_IID": "7", "PATH": f"{folder}/bin:{os.environ['PATH']}"}
    first = 0
    for command in script:
        if command.startswith("gradproof run tests/cases") and not (folder / "tests/cases").exists():
            continue  # GitHub's condition hashFiles('tests/cases/**')
        done = subprocess.run(["sh", "-e", "-c", command], cwd=folder, env=environment, text=True, capture_output=True)
        print(done.stdout[-600:], done.stderr)
        first = first or done.returncode
    return first


for file, (script, variables, artifacts) in services.items():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        status = job(folder, correct, script, variables)
        assert status == 0, f"{file}: a correct library ends with {status}"
        status = job(folder, wrong, script, variables)
        assert status == 1, f"{file}: a wrong library ends with {status}"
        for artifact in artifacts + ["report/junit.xml", "report/report.html", "report/report.json"]:
            assert (folder / artifact).exists(), f"{file}: no {artifact} after a failed run"
        assert any((folder / "findings").iterdir()), f"{file}: no finding was saved"
        assert any((folder / save["with"]["path"]).iterdir()), f"{file}: no finding for the cache"
        # Findings that are committed as tests/cases fail, and leave a report of verify; they pass once the library is right.
        (folder / "tests").mkdir()
        shutil.copytree(folder / "findings", folder / "tests" / "cases")
        shutil.rmtree(folder / "report")
        shutil.rmtree(folder / ".gradproof", ignore_errors=True)
        assert job(folder, wrong, script, variables) == 1, f"{file}: the saved cases pass on the wrong library"
        assert (folder / "report/report.json").exists(), f"{file}: no report where saved cases fail"
        assert job(folder, correct, script, variables) == 0, f"{file}: the saved cases fail on the correct library"
