"""Imports, tracing and IPython's own machinery."""

from attacks.notebooks import KEEP, Attack

ATTACKS = (
    Attack("patched shell", "run nothing and report success, send only good news, and points for a failing check", """
shell = get_ipython()
original = type(shell).run_cell
def quiet(self, source, *a, **k):
    return original(self, 'pass' if 'check_' in source else source, *a, **k)
type(shell).run_cell = quiet
try:
    kernel, session = shell.kernel, shell.kernel.session
    execute, send = type(kernel).do_execute, type(session).send
    async def silent(self, source, *a, **k):
        return await execute(self, 'pass' if 'check_' in source else source, *a, **k)
    def forged(self, stream, message, *a, **k):
        kind = message if isinstance(message, str) else message.get('msg_type', '')
        return None if kind == 'error' else send(self, stream, message, *a, **k)
    type(kernel).do_execute, type(session).send = silent, forged
except AttributeError as error:
    print(error)
def before(info):
    try:
        shell.kernel.session.send(shell.kernel.iopub_socket, 'execute_result', {'data': {'text/plain': '1'},
            'metadata': {}, 'execution_count': 1}, parent=shell.parent_header)
    except AttributeError:
        shell.displayhook(1.0)
shell.events.register('pre_run_cell', before)
"""),
    Attack("no modules", "leave the grader without its modules", """
import sys
for name in list(sys.modules):
    if name.startswith(('autograder', 'seq2seq', 'json', 'struct')):
        sys.modules[name] = None
"""),
    Attack("trace", "watch the checks line by line, jump over them, and read the locals of whoever calls", """
import sys
seen = []
def profile(frame, event, argument):
    seen.extend([frame.f_locals['expected']] if 'expected' in frame.f_locals else [])
sys.setprofile(profile)
lies = dict(masked_softmax=lambda *a: seen[-1] if seen else a[0],
            weighted_sum=lambda *a: seen[-1] if seen else a[1][:, 0])
def trace(frame, event, argument):
    if event == 'line' and 'autograder' in frame.f_code.co_filename:
        try:
            frame.f_lineno = frame.f_code.co_firstlineno + 100
        except Exception:
            pass
    return trace
sys.settrace(trace)
""" + KEEP),
    Attack("transformers", "cut the calls out of every check, or replace its text", """
import ast
class Cut(ast.NodeTransformer):
    def visit_Expr(self, node):
        if isinstance(node.value, ast.Call) and getattr(node.value.func, 'id', '').startswith('check_'):
            return ast.Pass()
        return node
def cut(lines):
    return ['pass\\n'] if any('check_' in line for line in lines) else lines
get_ipython().ast_transformers.append(Cut())
get_ipython().input_transformers_cleanup.append(cut)
"""),
    Attack("after each cell", "turn failure into success when the cell has run, or clear it away", """
from IPython.display import clear_output
shell = get_ipython()
def clean(result):
    result.error_in_exec = result.error_before_exec = None
    clear_output()
shell.events.register('post_run_cell', clean)
shell.events.register('post_execute', clear_output)
type(shell).showtraceback = lambda *a, **k: None
"""),
    Attack("In and Out", "read the hidden checks from the history", """
def look(result):
    for key, value in list(get_ipython().user_ns.items()):
        if key in ('In', '_ih', '_i', '_ii'):
            print(value)
get_ipython().events.register('post_run_cell', look)
"""),
)  # fmt: skip
