r"""Numbers and units of the package siunitx, as a person types them: ``\SI{5}{\metre\per\second}`` is "5 m/s"."""

import re

from bot.text.scripts import superscript

ARGUMENTS = {
    "num": 1, "ang": 1, "si": 1, "unit": 1, "numlist": 1, "numrange": 2, "SI": 2, "qty": 2, "SIlist": 2, "qtylist": 2,
    "SIrange": 3, "qtyrange": 3,
}  # fmt: skip
"""How many arguments in braces each macro takes; square brackets before them say only how to set them."""

_PREFIXES = {
    "yocto": "y", "zepto": "z", "atto": "a", "femto": "f", "pico": "p", "nano": "n", "micro": "µ", "milli": "m",
    "centi": "c", "deci": "d", "deca": "da", "hecto": "h", "kilo": "k", "mega": "M", "giga": "G", "tera": "T",
    "peta": "P", "exa": "E", "zetta": "Z", "kibi": "Ki", "mebi": "Mi", "gibi": "Gi", "tebi": "Ti",
}  # fmt: skip
_UNITS = {
    "ampere": "A", "candela": "cd", "kelvin": "K", "kilogram": "kg", "metre": "m", "meter": "m", "mole": "mol",
    "second": "s", "becquerel": "Bq", "celsius": "°C", "degreeCelsius": "°C", "coulomb": "C", "farad": "F",
    "gray": "Gy", "henry": "H", "hertz": "Hz", "joule": "J", "lumen": "lm", "lux": "lx", "newton": "N", "ohm": "Ω",
    "pascal": "Pa", "radian": "rad", "siemens": "S", "sievert": "Sv", "steradian": "sr", "tesla": "T", "volt": "V",
    "watt": "W", "weber": "Wb", "day": "d", "degree": "°", "hectare": "ha", "hour": "h", "litre": "L", "liter": "L",
    "minute": "min", "tonne": "t", "gram": "g", "bar": "bar", "bel": "B", "decibel": "dB", "electronvolt": "eV",
    "dalton": "Da", "bit": "bit", "byte": "B", "percent": "%", "arcminute": "′", "arcsecond": "″", "us": "µs",
    "um": "µm", "uL": "µL", "uA": "µA", "uV": "µV", "uW": "µW", "angstrom": "Å", "micron": "µm", "kWh": "kWh",
    "degC": "°C", "per": "/", "squared": "²", "cubed": "³",
}  # fmt: skip
_AHEAD = {"square": "²", "cubic": "³"}
_TOKEN = re.compile(r"\\([A-Za-z]+)\s*|\^\{?([-+−]?\d+)\}?|([.~])|([^\\^.~{}]+)")
_POWER_OF_TEN = re.compile(r"([\d.)])?\s*[eE]\s*([-+]?\d+)\s*\Z")
_SIGNS = re.compile(r"\+-|\\pm\s*")
_GLUED = ("°", "%", "′", "″")


def quantity(name: str, arguments: list[str]) -> str:
    r"""Return what the macro ``name`` says with its ``arguments``, which are TeX; unknown units keep their names."""
    match name:
        case "si" | "unit":
            return _unit(arguments[0])
        case "ang":
            return _angle(arguments[0])
        case "num":
            return _number(arguments[0])
        case "numlist":
            return _list(arguments[0])
        case "numrange":
            return f"{_number(arguments[0])}–{_number(arguments[1])}"
        case "SIrange" | "qtyrange":
            return _with_unit(f"{_number(arguments[0])}–{_number(arguments[1])}", arguments[2])
        case "SIlist" | "qtylist":
            return _with_unit(_list(arguments[0]), arguments[1])
        case _:
            return _with_unit(_number(arguments[0]), arguments[1])


def _number(source: str) -> str:
    text = _SIGNS.sub(" ± ", source.strip()).replace("{", "").replace("}", "").replace("\\", "")
    power = _POWER_OF_TEN.search(text)
    if power:
        ten = f"10{superscript(power[2].removeprefix('+').replace('-', '−'))}"
        text = f"{text[: power.start()]}{power[1]}×{ten}" if power[1] else f"{text[: power.start()]}{ten}"
    text = re.sub(r"\A-", "−", text)
    return re.sub(r"\s+", " ", text).strip()


def _list(source: str) -> str:
    return ", ".join(_number(part) for part in source.split(";"))


def _angle(source: str) -> str:
    marks = zip((part.strip() for part in source.split(";")), "°′″", strict=False)
    return "".join(f"{_number(part)}{mark}" for part, mark in marks if part)


def _with_unit(number: str, unit: str) -> str:
    written = _unit(unit)
    gap = "" if not written or (written.startswith(_GLUED) and not written.startswith("°C")) else " "
    return f"{number}{gap}{written}"


def _unit(source: str) -> str:
    """Return the unit; a dot or a space between two is a product, as between two macros."""
    out: list[str] = []
    power, is_open = "", False
    for token in _TOKEN.finditer(source.strip()):
        macro, exponent, product, plain = token.groups()
        if exponent is not None:
            out.append(superscript(exponent.replace("-", "−")))
        elif product is not None:
            out.append("·")
            is_open = False
        elif plain is not None:
            out.append(plain)
            is_open = not plain.endswith("/")
        elif macro in _AHEAD:
            power = _AHEAD[macro]
        elif macro in _PREFIXES:
            out.append(("·" if is_open else "") + _PREFIXES[macro])
            is_open = False
        elif macro in {"per", "squared", "cubed"}:
            out.append(("1" if macro == "per" and not out else "") + _UNITS[macro])
            is_open = macro != "per"
        else:
            out.append(("·" if is_open else "") + _UNITS.get(macro, macro) + power)
            power, is_open = "", True
    return "".join(out).strip()
