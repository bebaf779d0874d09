// Removes accents, case and punctuation: "Hold'em" is found as holdem, "Seven-Card" as seven card.

export const plain = (text) => text.normalize("NFKD").toLowerCase().replace(/[^\p{L}\p{N}\s]/gu, "");
