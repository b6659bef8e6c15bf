"""What the lessons say in numbers and pictures: each module measures one page; `pages` writes them."""
