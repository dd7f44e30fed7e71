"""The slash commands and buttons: acknowledge, ask one service, render."""
