import json
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.text.clean import clean_text
from bot.text.latex import readable
from bot.text.mathspans import find_math

PIECES = [
    "$", "$$", "\\", "{", "}", "^", "_", "\\frac", "\\sqrt[", "]", "\\text{", "\\alpha", "\\left", ".", "x",
    " ", "\\(", "\\)", '\\"', "'", "`", "~", "--", "\\href{", "\\begin{", "\\over", "\\not", "\\unicode{",
    "12", "&", "%", "\\SI{", "\\num{", "\\tilde", "extit{", "\\\\", "}$",
]  # fmt: skip


@pytest.mark.parametrize(
    ("tex", "typed"),
    [
        (r"$O(md \times md^{\omega -1})$", "O(md × md^(ω−1))"),
        (r"$\omega \approx 2.37$", "ω ≈ 2.37"),
        (r"$\pi(\theta) \propto e^{-f(\theta)}$", "π(θ) ∝ e^(−f(θ))"),
        (r"$K:=${$\theta \in \mathbb{R}^d: A\theta \leq b$}", "K:={θ ∈ ℝᵈ: Aθ ≤ b}"),
        (r"$A\in \mathbb{R}^{m\times d}$", "A ∈ ℝ^(m×d)"),
        (r"$\mathcal{O}(n_k^{-\frac{2 \beta}{2 \beta+\boldsymbol{\Lambda}}})$", "O(nₖ^(−2β/(2β+Λ)))"),
        (r"$\log ^{2 \delta^{\prime}}(n_k)$", "log^(2δ′)(nₖ)"),
        (r"${\boldsymbol{\Im}}(\boldsymbol{w}, n_k)$", "ℑ(w, nₖ)"),
        (r"$x-\text{sign}(x)\tau$ for $|x|>\tau$", "x−sign(x)τ for |x|>τ"),
        (r"$Fid_+$, $Fid_-$, and $Fid_\Delta$", "Fid₊, Fid₋, and Fid_Δ"),
        (r"$x_{t+1}$ and $x_{i,j}$ and $x_i^2$", "xₜ₊₁ and x_(i,j) and xᵢ²"),
        (r"$10^{-10}$, $x^10$, $360^{\circ}$", "10⁻¹⁰, x¹0, 360°"),
        (r"$x^{y^z}$ and ${ab}^2$", "x^(yᶻ) and (ab)²"),
        (r"$\tau_{\mathrm{mix}} T$", "τ_mix T"),
        (r"$\frac{a+b}{c}d$, $\frac12$, $\frac{1}{\sqrt{t}}$", "((a+b)/c)d, 1/2, 1/√t"),
        (r"$\frac{1}{N\epsilon^4}$", "1/(Nϵ⁴)"),
        (r"$\sqrt{nt}$, $\sqrt[3]{x}$, $\tilde{O}(\sqrt{T})$", "√(nt), ∛x, Õ(√T)"),
        (r"${n \choose k}$, $\binom{N}{K}$", "(n choose k), (N choose K)"),
        (r"$O(d\log{K})$-time, $\log T$", "O(d log K)-time, log T"),
        (r"$V^\top$, $G^*$, $L^\natural$", "Vᵀ, G*, L^♮"),
        (r"$\norm{F-f}_{\infty} \le \nu$", "‖F−f‖_∞ ≤ ν"),
        (r"$\left\{a, \; b\right\}$", "{a, b}"),
        (r"1.13$\times$ faster, 4$\times$N, $3.3\times$ more", "1.13× faster, 4×N, 3.3× more"),
        (r"\(f\) with \[x \ge 0\] and $$y^2$$", "f with x ≥ 0 and y²"),
        (r"\begin{equation*}\min\{a\}\end{equation*}", "min{a}"),
        (r"$\\mathrm{SE}(3)$ and $\min\\{a\\}$", "SE(3) and min{a}"),
        (r"$78.13\%$ and 85\% and R\&D and 15\\%", "78.13% and 85% and R&D and 15%"),
        (r"K\"{a}hler, L\'evy, Erd\H{o}s, Poincar\'e", "Kähler, Lévy, Erdős, Poincaré"),
        (r"M{\'{a}}rio Garc{\'{\i}}a, Gu{\dh}nason, \L ojasiewicz", "Mário García, Guðnason, Łojasiewicz"),
        (r"an LLM\'s \"weak\" labels", 'an LLM\'s "weak" labels'),
        (r"\textbf{\textit{C}o-\textbf{M}odality} and {\em both}", "Co-Modality and both"),
        (
            r"\href{https://a.org/x_1}{the code}, \url{https://a.org/y\_2}",
            "the code (https://a.org/x_1), https://a.org/y_2",
        ),
        (r"Fig.~2, ~10% and $x$~is", "Fig. 2, ~10% and x is"),
        (r"difficult---computing, 1--2, ``quoted'' and `so'", "difficult—computing, 1–2, “quoted” and ‘so’"),
        (r"{H{\&}E} in {NIST} {SRE}", "H&E in NIST SRE"),
        (r"O(d^{\alpha} T^{1 - \alpha}) and \oplus", "O(d^α T^(1−α)) and ⊕"),
        (r"an \em old idea, \ie, a tree, \eg. a fir", "an old idea, i.e., a tree, e.g. a fir"),
        (r"shown in \cite{bohr1913} and \citep[see][p.~3]{a,b}", "shown in [bohr1913] and [a,b]"),
        (r"$x=\text{$y$ if $y>0$}$, \textbf{5.1$\times$} and $\textbf{2$\times$}$", "x=y if y>0, 5.1× and 2×"),
        (r"\SI{5}{\metre\per\second}, \num{1.5e-3}, $\qty{20}{\percent}$", "5 m/s, 1.5×10⁻³, 20%"),
        (r"\SI[mode=text]{3}{\kilo\gram\per\cubic\metre}, \si{m.s^{-1}}", "3 kg/m³, m·s⁻¹"),
        (r"\SIrange{1}{5}{\kHz}, \numlist{1;2}, \ang{45;30}, \unit{\newton\metre}", "1–5 kHz, 1, 2, 45°30′, N·m"),
        (r"\SI{-3(1)e4}{\celsius} and \numrange{2}{4} and \qtylist{1;2}{s}", "−3(1)×10⁴ °C and 2–4 and 1, 2 s"),
        (r"$\frac{\log n}{n}$, $\frac{n(n+1)}{2}$, $\frac{p(x)}{q(x)}$", "(log n)/n, n(n+1)/2, p(x)/q(x)"),
        (r"\begin{align}a &= b \\ c &= d \\ \end{align}", "a = b; c = d"),
        (r"O\left(\frac1T\right), O(\sqrtT), \tildeO(n), a \tilde G", "O(1/T), O(√T), Õ(n), a G̃"),
        (r"\b{eta} and \k{appa}, $\mathop{\mathrm{argmin}}_x f$", "β and κ, argminₓ f"),
        ("``one'' and ``two\" and 'three'", "“one” and “two” and 'three'"),
        (
            r"in $n^1.5$ steps, \|x\|, \vspace*{6pt}and {In contrast to all of them, it stays}",
            "in n^(1.5) steps, ‖x‖, and In contrast to all of them, it stays",
        ),
        (r"$n = \Theta(d_{in} \log d_{in})$ and $\ epsilon $-nets", "n = Θ(dᵢₙ log dᵢₙ) and epsilon-nets"),
        (r"{the best} way {–} Schr{ö}dinger, 144{,}000", "the best way – Schrödinger, 144,000"),
        (r"called extit{Scale Net}, url{https://a.org/b}", "called Scale Net, https://a.org/b"),
        (r"at $\href{this https URL}{this https URL}$, $~$Q-learning", "at this https URL, Q-learning"),
        (r"for US$5, CA$6 or $7, and $n$ items", "for US$5, CA$6 or $7, and n items"),
    ],
)
def test_tex_comes_out_as_a_person_types_it(tex: str, typed: str):
    assert readable(tex) == typed


@pytest.mark.parametrize(
    ("macros", "words"),
    [
        ("induced with \\eft for capturing, and \\foo{bar} too", "induced with eft for capturing, and bar too"),
        ("\\model{} runs in \\INT{8} and \\OTheta{\\frac{1}{t}} steps", "model runs in INT8 and OTheta(1/t) steps"),
        ("as in \\cite{zhang", "as in [zhang]"),
        ("it takes $\\mathcal{O}(n^{-\\frac{2}{3", "it takes O(n^(−2/3)"),
        ("turned by $360^{", "turned by 360"),
        ("an \\R{overfitting} net, 1) \\textbf Perceive", "an overfitting net, 1) Perceive"),
        ("with \\footnote{The link is hid", "with (The link is hid)"),
        ("\\begin{theorem}All tides.\\end{theorem}", "All tides."),
        ("\\(k\\){is} the order", "k is the order"),
    ],
)
def test_unknown_macros_and_cut_ones_keep_their_words(macros: str, words: str):
    assert readable(macros).strip() == words


@pytest.mark.parametrize(
    "text",
    [
        "We gain 5% over BERT & GPT. Then more.",
        "It costs $5 and $6, or $0.20 per call, in US$ and CA$.",
        "a price of $6,100. Later $ alone",
        "an unbalanced $x^2 stays",
        "x~N(0, 1), 10~20, run with --flag, https://a.org/~me/a--b_{c}",
        "a set {sub, pred, obj} and {title}",
        "C:\\path\\new",
        "cases_with_underscore and O(nm^2)",
        "`code` and 5'' long",
        "$\\frac{a}{b$ is broken",
        "",
    ],
)
def test_what_is_no_tex_or_is_broken_stays_as_typed(text: str):
    assert readable(text) == text


def test_an_unknown_macro_in_a_formula_keeps_its_name_and_argument():
    assert readable(r"of $\OTheta{\frac{1}{t}}$ and $\eft(x\right)$") == "of OTheta(1/t) and eft(x)"


def test_nesting_deeper_than_anybody_writes_falls_back_to_the_source():
    deep = "$" + "x^{" * 60 + "y" + "}" * 60 + "$"

    assert readable(deep) == deep


def test_prices_between_formulas_do_not_swap_inside_and_outside():
    text = "for $0.6 per run we reach $\\alpha$ and $\\beta$ at $7"
    found = [text[span.start : span.end] for span in find_math(text)]

    assert found == ["$\\alpha$", "$\\beta$"]


@given(
    st.lists(
        st.sampled_from(PIECES),
        max_size=25,
    ).map("".join)
)
@settings(max_examples=500, deadline=None)
def test_no_input_is_an_error_and_no_word_is_lost(text: str):
    marked = f"start {text} end"
    result = readable(marked)

    assert result.startswith("start")
    assert result.endswith("end")
    assert result.count("zz") == marked.count("zz")


@given(st.text(st.characters(exclude_characters="\\$`'~{}-^_")))
def test_text_without_tex_comes_back_as_it_is(text: str):
    assert readable(text) == text


@pytest.mark.parametrize(
    "piece",
    [
        "$",
        "\\",
        "{",
        "}",
        "$\\{",
        "\\textbf{",
        "$x^{$",
        "\\(",
        "$a",
        "`",
        "-",
        "a~",
        '\\"a',
        "$$a ",
        "\\text{$",
        "\\text{a}$",
        "\\SI[",
        "$\\SI[",
        "& \\\\ ",
        "extit{",
        "``",
        "\\frac{",
        "\\begin{math}",
        "a_{",
        "$\\a",
    ],
)
def test_the_cost_of_hostile_text_grows_with_its_length(grows_with_its_input, piece: str):
    grows_with_its_input(lambda size: readable(piece * (size // len(piece))), 12_500)


def test_the_formulas_of_the_real_list_leave_no_tex_behind(shared_data: Path):
    source = (shared_data / "iclr2024_abstracts.txt").read_text(encoding="utf-8")
    result = readable(source)

    assert len(find_math(source)) == 26
    assert re.findall(r"[\\$]\w+", result) == []


def test_real_snippets_lose_almost_all_their_tex(shared_data: Path):
    lines = (shared_data / "latex_snippets.jsonl").read_text(encoding="utf-8").split("\n")
    results = [readable(row["text"]) for row in map(json.loads, filter(None, lines))]
    left = [text for text in results if re.search(r"\\[A-Za-z]|\$\S+\$", text)]

    assert len(results) == 240
    assert left == []


def test_a_second_run_over_real_snippets_changes_nothing(shared_data: Path):
    names = ("latex_snippets.jsonl", "nasty_text.jsonl")
    lines = [line for name in names for line in (shared_data / name).read_text(encoding="utf-8").split("\n") if line]
    once = [readable(clean_text(json.loads(line)["text"])) for line in lines]

    assert len(once) > 300
    assert [text for text in once if readable(clean_text(text)) != text] == []
