"""Components that many pages share: cards, QR codes, forms."""
