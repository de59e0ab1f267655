# Two commands: `make course` builds and grades everything, `make test` tests it. `make help` lists the rest.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SETUP := $(VENV)/.installed
CLASS := build/sample_class
CHROMIUM ?= chromium

ifeq ($(origin PYTHON),command line)
override PYTHON := $(or $(shell sh scripts/python.sh $(PYTHON) $(VENV)),$(error no such Python))
endif

export PIP_DISABLE_PIP_VERSION_CHECK := 1
export PYTHON

.DEFAULT_GOAL := help
.PHONY: help course test test-long types setup book pdf epub exercises wheel class results results-quick lab hub lock plain-sphinx joeynmt gpu clean

help:
	@echo "make course     the book, the exercises, and a sample class graded"
	@echo "make test       the same set-up, then every test that is not long"
	@echo "make test-long  the same set-up, then every test"
	@echo "make book       the book alone"
	@echo "make pdf        the book as one PDF, to print"
	@echo "make epub       the book for an e-reader"
	@echo "make exercises  what learners open, from solutions/"
	@echo "make wheel      the package that learners install"
	@echo "make results    every result of the book anew: hours; resumes where it stopped"
	@echo "make results-quick  a smoke test of every experiment"
	@echo "make lab        JupyterLab in exercises/"
	@echo "make hub        a JupyterHub on this machine, to try"
	@echo "make plain-sphinx  the book by a newer Sphinx, without Jupyter Book"
	@echo "make joeynmt    JoeyNMT beside this library on its own reverse task"
	@echo "make gpu        tests and benchmarks on a GPU, in ten minutes"
	@echo "make lock       constraints.txt from what is installed"
	@echo "make clean      remove what was built (not $(VENV))"

course: book pdf class
	@echo
	@echo "The book         $(CURDIR)/_build/html/index.html"
	@echo "The same, a PDF  $(CURDIR)/_build/html/learning-to-align.pdf"
	@echo "The exercises    $(CURDIR)/exercises (open them with: make lab)"
	@echo "The gradebook    $(CURDIR)/$(CLASS)/gradebook.db"
	@echo "The feedback     $(CURDIR)/$(CLASS)/feedback/<student>/<assignment>/"

test: SELECTED := -m "not long"
test test-long:
	@$(MAKE) --no-print-directory --jobs=2 book exercises types
	@sh scripts/system-packages.sh bubblewrap chromium postgresql
	$(BIN)/ruff check
	$(BIN)/python -m pytest -n auto --dist worksteal $(SELECTED)

types: setup
	$(BIN)/mypy

book: setup exercises
	$(BIN)/python -m book.build

pdf: book
	@sh scripts/system-packages.sh chromium
	$(BIN)/python -m book.pdf

epub: book
	@sh scripts/system-packages.sh chromium
	$(BIN)/python -m book.epub

exercises: setup
	$(BIN)/python -m autograder build

class: setup exercises
	@sh scripts/system-packages.sh bubblewrap
	$(BIN)/python -m autograder grade sample_class/submitted --output $(CLASS)

results: setup
	$(BIN)/python -m seq2seq.experiments

results-quick: setup
	$(BIN)/python -m seq2seq.experiments --quick

lab: setup exercises
	cd exercises && ../$(BIN)/jupyter lab

hub: setup exercises
	@sh scripts/system-packages.sh bubblewrap
	$(BIN)/python -m book.assets
	$(BIN)/python -m autograder hub

setup: $(SETUP)

wheel: setup exercises
	$(BIN)/python -m autograder wheel

# pip runs when the pins change, or pyproject.toml, which lists what they pin.
$(SETUP): requirements.txt constraints.txt pyproject.toml
	@test -x $(BIN)/python || sh scripts/python.sh $(PYTHON) $(VENV) > /dev/null
	@sh scripts/system-packages.sh python3-venv
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet setuptools wheel --constraint constraints.txt
	$(BIN)/pip install --quiet --no-build-isolation --requirement requirements.txt
	@touch $@

# With what the course's own environment has, behind what is newer.
plain-sphinx: book
	$(PYTHON) -m venv build/plain_sphinx
	build/plain_sphinx/bin/pip install --quiet --requirement book/plain_sphinx.txt
	$(BIN)/python -c "import site; print(site.getsitepackages()[0])" \
	  > $$(build/plain_sphinx/bin/python -c "import site; print(site.getsitepackages()[0])")/zz_course.pth
	$(BIN)/python -m book.plain_sphinx
	@echo "The same by Sphinx alone  $(CURDIR)/_build/plain_sphinx/index.html"

# In an environment of its own, with the course's torch.
joeynmt: setup
	$(PYTHON) -m venv build/joeynmt
	build/joeynmt/bin/pip install --quiet --requirement benchmarks/joeynmt.txt \
	  $$(grep -o '^torch==[^ ]*' requirements.txt)
	$(BIN)/python -m benchmarks.reverse_speed

gpu: setup
	$(BIN)/python -m benchmarks.gpu

# torch is pinned in requirements.txt alone: which build of it is right, and what that build brings, differs by machine.
lock: setup
	$(BIN)/pip freeze --all --exclude-editable | grep -v -i -E '^(pip|torch|triton|nvidia-[a-z0-9-]*|cuda-[a-z0-9-]*)==' > constraints.txt.new
	@{ echo "# Every package that requirements.txt brings along, by \`make lock\`; torch and its like are left to pip."; \
	   echo "# All of them install on Python 3.11.2, which is Debian 12's own: lock with that one."; \
	   cat constraints.txt.new; } > constraints.txt && rm constraints.txt.new

clean:
	rm -rf build _build .mypy_cache .pytest_cache .ruff_cache .hypothesis
