"""What many pages show: cards, QR codes, forms."""
