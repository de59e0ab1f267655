"""Bytes as text that may stand in a script's quotes: 13 bits in two of 91 printable characters.

Base64 would take 8 % more.
"""

ALPHABET = "".join(chr(code) for code in range(35, 127) if chr(code) != "\\")  # no quote, no backslash
BASE = len(ALPHABET)
BITS = 13  # 2 ** 13 pairs of the 91 ** 2 are used
VALUES = {character: value for value, character in enumerate(ALPHABET)}


def encode(data: bytes) -> str:
    """The text of ``data``; the last bits are filled up with zeros."""
    pairs, held, bits = [], 0, 0
    for byte in data:
        held |= byte << bits
        bits += 8
        if bits >= BITS:
            pairs.append(held & (2**BITS - 1))
            held >>= BITS
            bits -= BITS
    if bits:
        pairs.append(held)
    return "".join(ALPHABET[pair // BASE] + ALPHABET[pair % BASE] for pair in pairs)


def decode(text: str) -> bytes:
    """The bytes of ``text``; one of zeros may follow them, from the bits that filled it up.

    Raises:
        ValueError: the text has an odd length, or a character that is not one of the 91.
    """
    if len(text) % 2:
        raise ValueError(f"text: got {len(text)} characters, expected an even number: each 13 bits are two.")
    data, held, bits = bytearray(), 0, 0
    for first, second in zip(text[::2], text[1::2], strict=True):
        if first not in VALUES or second not in VALUES:
            raise ValueError(f"text: got {first + second!r}, expected two of {ALPHABET!r}.")
        held |= (VALUES[first] * BASE + VALUES[second]) << bits
        bits += BITS
        while bits >= 8:
            data.append(held & 255)
            held >>= 8
            bits -= 8
    return bytes(data)
