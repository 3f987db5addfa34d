import { isOwn } from '../../lib/own-elements.ts'
import { shadowRootOf } from '../deep-dom.ts'
import { plainText } from '../words/word-list.ts'

/** Visible text of a document, normalized. */
export interface PageText {
  /** Text outside of links and buttons. */
  readonly prose: string
  /** Text of links and buttons. */
  readonly controls: string
}

const textMaximum = 4_000
const elementsMaximum = 4_000

export const controlSelector =
  'a[href], button, [role="button"], [role="link"], [role="tab"], [role="menuitem"], summary, input[type="submit"], input[type="button"]'
const skipped = 'script, style, noscript, template, select, textarea, svg, iframe, head'

/** Reads the visible text below an element, including shadow roots. */
function readTextIn(root: ParentNode & Node): PageText {
  const prose: string[] = []
  const controls: string[] = []
  let length = 0
  let elements = 0
  const add = (text: string, isControl: boolean) => {
    if (text.trim() === '') return
    length += text.length
    const texts = isControl ? controls : prose
    texts.push(text)
  }
  const visit = (node: Node, isControl: boolean) => {
    if (length >= textMaximum || elements >= elementsMaximum) return
    if (node instanceof Text) add(node.data, isControl)
    else if (node instanceof Element) visitElement(node, isControl)
    else for (const child of node.childNodes) visit(child, isControl)
  }
  const visitElement = (element: Element, isControl: boolean) => {
    elements++
    if (element.matches(skipped) || isOwn(element)) return
    if (!element.checkVisibility({ visibilityProperty: true })) return
    const inControl = isControl || element.matches(controlSelector)
    if (element instanceof HTMLInputElement) add(inputText(element), inControl)
    for (const child of shadowRootOf(element)?.childNodes ?? []) visit(child, inControl)
    for (const child of element.childNodes) visit(child, inControl)
  }
  visit(root, false)
  return {
    prose: plainText(prose.join(' ').slice(0, textMaximum)),
    controls: plainText(controls.join(' ').slice(0, textMaximum)),
  }
}

/** Returns the text that a field or button displays. */
function inputText(input: HTMLInputElement): string {
  if (/^(?:submit|button)$/.test(input.type)) return input.value
  return [input.placeholder, input.getAttribute('aria-label') ?? ''].join(' ')
}

/** Reads the visible text of the document. */
export const readPageText = (): PageText => readTextIn(document.body ?? document)
