/**
 * What the agent draws over pages is not for their style sheets: in a shadow tree, what is important goes before
 * whatever the page says of its host.
 */
const untouched = ':host { all: initial !important }'

/** Gives a shadow root of the agent its looks. Firefox shares no constructed sheets between a page and its content scripts. */
export function addOwnStyle(root: ShadowRoot, css: string): void {
  const text = `${untouched}\n${css}`
  try {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(text)
    root.adoptedStyleSheets = [sheet]
  } catch {
    const style = document.createElement('style')
    style.textContent = text
    root.append(style)
  }
}
