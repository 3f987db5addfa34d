/**
 * Resets inherited page styles. In a shadow tree, important declarations take precedence over the page's styles for the
 * host.
 */
const untouched = ':host { all: initial !important }'

/**
 * Adds styles to a shadow root of the agent. Firefox does not allow constructed style sheets across a page and its
 * content scripts.
 */
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
