"""Images, an editor's container, a hub's values and a cluster's manifests: what can be told without an engine."""

import json
import re
import shlex
import subprocess
import sys
from collections import defaultdict

import pytest
import yaml
from small_course import ROOT

CONTAINERS = ROOT / "containers"
README = (CONTAINERS / "README.md").read_text("utf-8")
INSTRUCTION = re.compile(r"(FROM|RUN|COPY|WORKDIR|USER|ENV|CMD) (.+)", re.DOTALL)
BUILT = ("build/wheel/",)  # by a command that README.md names first
# What a sandbox needs of the container around it, by docker's names and by Kubernetes's.
FREED = {"seccomp=unconfined", "systempaths=unconfined", "apparmor=unconfined"}


def instructions() -> dict[str, list[tuple[str, str]]]:
    """Stage → its instructions, of which the first is FROM; the last stage is called ""."""
    text = re.sub(r"(?m)^#.*\n", "", (CONTAINERS / "Containerfile").read_text("utf-8"))
    stages = defaultdict(list)
    for line in re.sub(r"\\\n", "", text).split("\n"):
        if line:
            match = INSTRUCTION.fullmatch(line)
            assert match, f"no instruction: {line}"
            word, rest = match.groups()
            if word == "FROM":
                rest, _, stage = rest.partition(" AS ")
                assert stage not in stages
            stages[stage].append((word, rest))
    return stages


STAGES = instructions()


def whole(stage: str) -> list[tuple[str, str]]:
    """The instructions of a stage, with those of the stages that it stands on."""
    first, *rest = STAGES[stage]
    return (whole(first[1]) if first[1] in STAGES else [first]) + rest


def manifests() -> dict[tuple[str, str], dict]:
    documents = yaml.safe_load_all((CONTAINERS / "dask.yaml").read_text("utf-8"))
    return {(each["kind"], each["metadata"]["name"]): each for each in documents}


def of_pod(name: str) -> dict:
    return manifests()["Deployment", name]["spec"]["template"]["spec"]


def test_each_stage_stands_on_an_image_or_an_earlier_stage_and_copies_what_is_there():
    names = list(STAGES)
    assert names[-1] == ""
    for position, stage in enumerate(names):
        base = STAGES[stage][0][1]
        assert base in names[:position] or re.fullmatch(r"[\w.]+/library/python:3\.11-[\w-]+", base), base
        for sources in [shlex.split(rest)[:-1] for word, rest in STAGES[stage] if word == "COPY"]:
            assert [name for name in sources if not name.startswith(BUILT) and not (ROOT / name).exists()] == []
        for text in [rest for word, rest in STAGES[stage] if word == "RUN"]:
            assert subprocess.run(["sh", "-n", "-c", text]).returncode == 0, text
        for command in [json.loads(rest) for word, rest in STAGES[stage] if word == "CMD"]:
            assert command


@pytest.mark.parametrize("stage", ["learner", "worker", ""])
def test_no_image_runs_as_root(stage):
    users = [rest for word, rest in whole(stage) if word == "USER"]
    assert users
    made = [shlex.split(rest)[-1] for word, rest in whole(stage) if word == "RUN" and rest.startswith("useradd")]
    assert users[-1] in made
    words = [word for word, _ in whole(stage)]
    assert words.index("USER") > max(place for place, word in enumerate(words) if word == "RUN")


def test_what_a_build_without_a_target_makes_has_no_copy_of_the_course_and_a_learners_image_nothing_of_the_grader():
    copied = {stage: " ".join(rest for word, rest in whole(stage) if word == "COPY") for stage in ("", "learner")}
    for stage, text in copied.items():
        assert re.findall(r"autograder|seq2seq|solutions|exercises|tests|hub/", text) == [], stage
    assert "requirements.txt constraints.txt build/wheel/*.whl" in copied["learner"]
    (install,) = [rest for word, rest in STAGES["learner"] if word == "RUN" and "pip install" in rest]
    assert "--constraint constraints.txt" in install
    assert "$(grep -o '^torch==[^ ]*' requirements.txt)" in install  # the pin stays in one place
    torch = subprocess.run(["grep", "-o", "^torch==[^ ]*", ROOT / "requirements.txt"], capture_output=True, text=True)
    assert torch.stdout.strip().count("torch==") == 1


def test_an_editor_opens_the_image_with_what_the_sandbox_needs():
    settings = json.loads((ROOT / ".devcontainer" / "devcontainer.json").read_text("utf-8"))
    folder = ROOT / ".devcontainer"
    assert (folder / settings["build"]["dockerfile"]).resolve() == CONTAINERS / "Containerfile"
    assert (folder / settings["build"]["context"]).resolve() == ROOT
    assert ("USER", settings["remoteUser"]) in whole("")
    assert set(settings["securityOpt"]) == FREED
    assert set(re.findall(r"--security-opt (\S+=unconfined)", README)) == FREED
    assert settings["containerEnv"] == {"PYTHONPATH": "${containerWorkspaceFolder}"}
    assert settings["postCreateCommand"] == ["python", "-m", "autograder", "doctor"]


def test_a_hubs_servers_are_learners_images_with_the_home_that_is_in_them():
    values = yaml.safe_load((CONTAINERS / "zero-to-jupyterhub.yaml").read_text("utf-8"))["singleuser"]
    assert f"podman build -t {values['image']['name']} --target learner " in README
    assert ("WORKDIR", values["storage"]["homeMountPath"]) in STAGES["learner"]
    assert STAGES["learner"][-1] == ("CMD", '["jupyterhub-singleuser"]')


def test_workers_find_the_scheduler_and_nobody_else_finds_either():
    parts = manifests()
    service, policy = parts["Service", "scheduler"]["spec"], parts["NetworkPolicy", "autograder"]["spec"]
    labels = {
        name: parts["Deployment", name]["spec"]["template"]["metadata"]["labels"] for name in ("scheduler", "worker")
    }
    assert service["selector"] == labels["scheduler"]
    for name, given in labels.items():
        assert parts["Deployment", name]["spec"]["selector"]["matchLabels"] == given
        assert policy["podSelector"]["matchLabels"].items() <= given.items()
    ours = {"podSelector": policy["podSelector"]}
    assert policy["ingress"] == [{"from": [ours]}]
    assert set(policy["policyTypes"]) == {"Ingress", "Egress"}
    assert [rule.get("ports") for rule in policy["egress"] if rule["to"] != [ours]] == [
        [{"protocol": "UDP", "port": 53}, {"protocol": "TCP", "port": 53}]
    ]
    command = json.loads(STAGES["worker"][-1][1])
    (port,) = [each["port"] for each in service["ports"]]
    assert f"tcp://scheduler:{port}" in command
    for line in (command, of_pod("scheduler")["containers"][0]["command"]):
        done = subprocess.run([sys.executable, *line[1:4], "--help"], capture_output=True, text=True)
        assert [option for option in line[4:] if option.startswith("--") and option not in done.stdout] == []


def test_a_pod_gives_a_sandbox_what_it_needs_and_no_more():
    worker, scheduler = of_pod("worker"), of_pod("scheduler")
    freed = {name: kind["type"] for name, kind in worker["securityContext"].items() if isinstance(kind, dict)}
    assert freed == {"seccompProfile": "Unconfined", "appArmorProfile": "Unconfined"}
    assert worker["hostUsers"] is False  # without which Kubernetes refuses the next line
    assert worker["containers"][0]["securityContext"].pop("procMount") == "Unmasked"
    for pod in (worker, scheduler):
        assert pod["securityContext"]["runAsNonRoot"]
        assert pod["automountServiceAccountToken"] is False
        assert "volumes" not in pod
        (container,) = pod["containers"]
        assert f"podman build -t {container['image']} --target worker " in README
        assert container["securityContext"] == {"allowPrivilegeEscalation": False, "capabilities": {"drop": ["ALL"]}}
    user = [rest for word, rest in whole("worker") if word == "RUN" and rest.startswith("useradd")]
    assert f"--uid {worker['securityContext']['runAsUser']} " in user[0]
