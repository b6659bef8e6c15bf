// A page whose only business is to be printed.
document.getElementById("print").addEventListener("click", () => print());
