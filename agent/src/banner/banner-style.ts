/** Styles of banners, used inside a closed shadow root to isolate them from the page. */
export const bannerStyle = `
dialog {
  color-scheme: light dark;
  --ground: light-dark(#fff, #20232b);
  --ink: light-dark(#16181d, #eef0f4);
  --quiet: light-dark(#565c69, #a8aebb);
  --line: light-dark(#cfd4de, #4a5160);
  --accent: light-dark(#2a50d2, #93abff);
  --on-accent: light-dark(#fff, #10142a);
  box-sizing: border-box;
  width: min(440px, calc(100vw - 32px));
  max-height: calc(100vh - 32px);
  padding: 20px 24px;
  overflow: auto;
  border: 1px solid var(--line);
  border-top: 5px solid var(--accent);
  border-radius: 10px;
  background: var(--ground);
  color: var(--ink);
  font: 15px/1.5 system-ui, sans-serif;
  text-align: start;
  overflow-wrap: anywhere;
}
dialog.aside { position: fixed; inset: 16px 16px auto auto; margin: 0; box-shadow: 0 8px 30px rgb(0 0 0 / .3); }
dialog::backdrop { background: rgb(16 18 24 / .75); }
dialog.covering::backdrop { background: rgb(16 18 24 / .97); }
.from { margin: 0 0 6px; color: var(--quiet); font-size: 12px; }
h2 { margin: 0 0 8px; font-size: 19px; line-height: 1.3; }
p { margin: 0 0 14px; white-space: pre-line; }
label { display: block; margin-bottom: 4px; font-weight: 600; }
textarea {
  box-sizing: border-box; width: 100%; min-height: 72px; margin-bottom: 14px; padding: 8px; resize: vertical;
  border: 1px solid var(--line); border-radius: 8px; background: var(--ground); color: var(--ink); font: inherit;
}
button {
  padding: 8px 18px; border: 1px solid var(--accent); border-radius: 8px; background: var(--accent);
  color: var(--on-accent); font: inherit; font-weight: 600; cursor: pointer;
}
button:disabled { opacity: .6; cursor: default; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
`
