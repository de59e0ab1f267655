"""Honest notebooks as other editors and services write them, with other kernels and metadata."""

from unusual.notebook import HONEST, honest, own, text, without_ids, without_metadata


def kernel(**spec):
    def change(notebook):
        notebook["metadata"] = {"kernelspec": spec} if spec else {}
        return notebook

    return change


HONEST["kernel_of_r"] = kernel(display_name="R", language="R", name="ir")
HONEST["kernel_of_julia"] = kernel(display_name="Julia 1.10", language="julia", name="julia-1.10")
HONEST["kernel_of_a_conda_environment"] = kernel(display_name="conda (dl)", language="python", name="conda-env-dl-py")
HONEST["no_kernel"] = kernel()


@honest
def metadata_that_is_a_text(notebook):
    return notebook | {"metadata": "Python"}


@honest
def colab(notebook):
    for number, one in enumerate(notebook["cells"]):
        one.pop("id")
        one["metadata"] = {"id": f"aB{number}", "colab": {"base_uri": "https://localhost:8080/"}, "outputId": "x"}
        one["metadata"]["executionInfo"] = {"status": "ok", "elapsed": 4, "user": {"displayName": "A", "userId": "1"}}
    notebook["metadata"] = {
        "colab": {"provenance": [], "gpuType": "T4"},
        "accelerator": "GPU",
        "kernelspec": {"name": "python3", "display_name": "Python 3"},
    }
    return notebook | {"nbformat_minor": 0}


@honest
def vs_code(notebook):
    for one in without_metadata(notebook)["cells"]:
        one["metadata"] = {"vscode": {"languageId": "python"}}
    return notebook


@honest
def jupyterlab_4(notebook):
    for one in notebook["cells"]:
        one["metadata"] |= {
            "execution": {"iopub.status.busy": "2026-11-21T10:00:00.0Z"},
            "editable": True,
            "trusted": True,
        }
        one["metadata"]["slideshow"] = {"slide_type": ""}
    return notebook


@honest
def kaggle(notebook):
    for one in without_ids(notebook, 4)["cells"]:
        one["metadata"] = {
            "_uuid": "8f2839f25d086af736a60e9eeb907d3b93b6e0e5",
            "_cell_guid": "b1076dfc",
            "trusted": True,
        }
    notebook["metadata"] = {"kaggle": {"accelerator": "none", "dataSources": [], "isGpuEnabled": False}}
    return notebook


@honest
def deepnote(notebook):
    for number, one in enumerate(without_ids(notebook, 2)["cells"]):
        one["metadata"] = {"cell_id": f"0000{number}", "deepnote_cell_type": one["cell_type"], "tags": []}
        one["block_group"] = "9dd9"
        one["outputs_reference"] = "s3:deepnote-cell-outputs-production/1"
    tail = own("<a style='text-align:right' href='https://deepnote.com'>Created in Deepnote</a>", "markdown")
    notebook["cells"].append(tail | {"metadata": {"created_in_deepnote_cell": True}})
    notebook["metadata"] = {"deepnote": {}, "deepnote_notebook_id": "a", "deepnote_execution_queue": []}
    return notebook


@honest
def databricks(notebook):
    for one in without_ids(notebook, 0)["cells"]:
        more = {"cellMetadata": {}, "inputWidgets": {}, "nuid": "0-1-2", "showTitle": False, "title": ""}
        one["metadata"] = {"application/vnd.databricks.v1+cell": more}
        if one["cell_type"] == "markdown":  # some exports keep texts as code cells of a magic
            one |= {"cell_type": "code", "source": "%md\n" + text(one), "outputs": [], "execution_count": 0}
    notebook["metadata"] = {"application/vnd.databricks.v1+notebook": {"language": "python", "dashboards": []}}
    return notebook


@honest
def no_metadata_and_no_ids(notebook):
    return without_ids(without_metadata(notebook), 4)


@honest
def ids_with_blanks(notebook):
    for number, one in enumerate(notebook["cells"]):
        one["id"] = f"cell number {number} / {'x' * 80}"
    return notebook


@honest
def one_id_for_all(notebook):
    for one in notebook["cells"]:
        one["id"] = "same"
    return notebook
