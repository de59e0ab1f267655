"""Honest notebooks whose cells hold more than answers: magics, scratch work, prints, warnings."""

from unusual.notebook import HONEST, cell, honest, prefixed, put, text

SCRATCH = {
    "scratch_that_is_no_python": "this is a note, not code!",
    "scratch_that_fails": "1 / 0",
    "scratch_with_pip": "!pip install torch",
    "scratch_with_pip_magic": "%pip install einops",
    "scratch_with_conda": "%conda install numpy",
    "scratch_with_shell": "!ls -la | head",
    "scratch_with_bash": "%%bash\nls",
    "scratch_with_html": "%%html\n<b>bold</b>",
    "scratch_with_timeit": "%%timeit -n 2 -r 2\nsum(range(10))",
    "scratch_with_help": "torch.softmax?",
    "scratch_with_debugger": "def f():\n    breakpoint()\nf()",
    "scratch_with_set_trace": "import pdb; pdb.set_trace()",
    "scratch_with_input": "name = input('Your name? ')",
    "scratch_with_quit": "quit()",
    "scratch_with_exit": "import sys; sys.exit(0)",
    "scratch_with_os_exit": "import os; os._exit(0)",
    "scratch_with_a_loop": "while True: pass",
    "scratch_with_upload": "from google.colab import files\nfiles.upload()",
    "scratch_with_unknown_magic": "%nosuchmagic 3",
    "scratch_with_await": "import asyncio\nawait asyncio.sleep(0)",
    "scratch_with_plots": "import matplotlib.pyplot as plt\nplt.plot([1, 2]); plt.show()",
    "scratch_with_a_missing_file": "open('/content/drive/MyDrive/x.csv')",
    "scratch_with_a_file": "open('x.txt', 'w').write('x'); print(open('x.txt').read())",
    "scratch_with_widgets": "from ipywidgets import interact\ninteract(lambda x: x, x=3)",
    "scratch_with_progress": "from tqdm.notebook import tqdm\nfor i in tqdm(range(3)): pass",
    "scratch_with_progress_on_stderr": "from tqdm import tqdm\nfor i in tqdm(range(3)): pass",
    "scratch_with_warnings": "import warnings; warnings.warn('careful')",
    "scratch_with_warnings_as_errors": "import warnings; warnings.simplefilter('error')",
    "scratch_with_logging": "import logging; logging.basicConfig(level=0); logging.error('x')",
    "scratch_with_autoreload": "%load_ext autoreload\n%autoreload 2",
    "scratch_with_reset": "%xmode Minimal\n%who",
    "scratch_with_a_double_default": "torch.set_default_dtype(torch.float64)",
    "scratch_with_another_seed": "torch.manual_seed(3)",
    "scratch_with_threads": "torch.set_num_threads(4)",
    "scratch_without_gradients": "torch.set_grad_enabled(False)",
    "scratch_with_a_process": "import subprocess; subprocess.run(['true'])",
    "scratch_with_a_pool": "from multiprocessing import Pool\nwith Pool(2) as p: print(p.map(abs, [-1, 2]))",
    "scratch_with_much_output": "for i in range(10**6): print(i)",
    "scratch_with_changed_folder": "import os; os.makedirs('a', exist_ok=True); os.chdir('a')",
    "scratch_that_hides_a_name": "list = [1]; sum = 3",
    "scratch_with_javascript": "%%javascript\nalert(1)",
    "scratch_that_closes_stdout": "import sys; sys.stdout.close()",
    "scratch_with_r": "%%R\nx <- 3",
}


def scratch(source):
    return lambda notebook: put(notebook, source, before="dot_scorer")


HONEST |= {name: scratch(source) for name, source in SCRATCH.items()}

ABOVE_AN_ANSWER = {
    "answer_below_time_magic": "%%time\n",
    "answer_below_capture_magic": "%%capture\n",
    "answer_below_pip": "!pip install einops\n",
    "answer_below_colab": "from google.colab import drive\ndrive.mount('/content/drive')\n",
    "answer_below_colab_folder": "%cd /content/drive/MyDrive\n",
    "answer_below_widget_magic": "%matplotlib widget\n",
    "answer_below_notebook_magic": "%matplotlib notebook\n",
    "answer_below_extension": "%load_ext tensorboard\n",
    "answer_below_input": "size = int(input('How many? '))\n",
    "answer_below_missing_library": "import pandas as pd\nimport seaborn as sns\n",
    "answer_below_missing_file": "table = open('/kaggle/input/table.csv').read()\n",
    "answer_below_the_library": "from seq2seq.batch import Batch\n",
    "answer_below_future_import": "from __future__ import annotations\n",
    "answer_below_a_gpu": "device = torch.device('cuda' if torch.cuda.is_available() else 'cpu')\n",
    "answer_below_a_print": "print('hello')\n",
}


def above(source):
    return lambda notebook: prefixed(notebook, "dot_scorer", source)


HONEST |= {name: above(source) for name, source in ABOVE_AN_ANSWER.items()}


@honest
def module_by_writefile(notebook):
    source = "%%writefile lowest.py\nimport torch\ndef lowest_of(s):\n    return torch.finfo(s.dtype).min\n"
    put(notebook, source, before="masked_softmax")
    one = cell(notebook, "masked_softmax")
    one["source"] = "from lowest import lowest_of\n" + text(one).replace(
        "torch.finfo(scores.dtype).min", "lowest_of(scores)"
    )
    return notebook


@honest
def answer_that_prints_and_warns(notebook):
    one = cell(notebook, "weighted_sum")
    talk = "    import sys, warnings\n    warnings.warn('careful')\n    print(1, file=sys.stderr)\n    return "
    one["source"] = text(one).replace("    return ", talk)
    return notebook
