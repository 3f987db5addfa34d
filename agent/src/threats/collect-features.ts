import { deepAll, isVisible } from '../observe/deep-dom.ts'
import { carriesAddress, isCopiedByTool, isDrawnAddress, isDropScript, marksIn } from './kit-marks.ts'
import type { PageFeatures } from './page-features.ts'

const listMaximum = 100
const wordsMaximum = 300
const scriptMaximum = 200_000

const tidy = (text: string | null | undefined) =>
  (text ?? '').replace(/\s+/g, ' ').trim().slice(0, wordsMaximum)
const several = (values: Iterable<string>): string[] =>
  [...new Set(values)].filter((value) => value !== '').slice(0, listMaximum)
const addressHost = (address: string | null): string =>
  (address ? URL.parse(address, document.baseURI)?.hostname : '') ?? ''

/**
 * Returns true inside a link or button. Controls that lead to another site show its brand, which says nothing about the
 * page itself.
 */
const isOffer = (element: Element) => element.closest('a, button, [role="button"]') !== null
/** Matches assets that providers serve for sign-in buttons on other sites. */
const offerAddress = /\/gsi\/|\/appleid\/button/

const attributes = (selector: string, name: string): string[] =>
  deepAll(document, selector).map((element) => element.getAttribute(name) ?? '')

/** Returns the name of a picture file, such as `microsoft_logo.svg`, as words. */
const fileWords = (address: string): string =>
  (address.startsWith('data:') ? '' : (address.split(/[?#]/)[0]?.split('/').at(-1) ?? '')).replace(
    /[_-]+/g,
    ' ',
  )

function pictureWords(): string[] {
  const pictures = deepAll(document, 'img, svg, [role="img"]')
    .filter((picture) => isVisible(picture) && !isOffer(picture))
    .slice(0, 40)
  return several(
    pictures.flatMap((picture) => [
      tidy(picture.getAttribute('alt')),
      tidy(picture.getAttribute('aria-label')),
      tidy(picture.querySelector('title')?.textContent),
      tidy(fileWords(picture.getAttribute('src') ?? '')),
    ]),
  )
}

/** Returns the inline scripts of the page. External scripts are not read. */
const ownScripts = (): string =>
  Array.from(document.scripts, (script) => script.textContent ?? '')
    .join('\n')
    .slice(0, scriptMaximum)

function isPassedThroughMicrosoft(): boolean {
  const id = document.querySelector('meta[name="PageID" i]')?.getAttribute('content') ?? ''
  return /^(?:Converged|BssoInterrupt|i51)/i.test(id)
}

const comments = (): string => {
  const walker = document.createTreeWalker(document, NodeFilter.SHOW_COMMENT)
  let text = ''
  for (let node = walker.nextNode(); node && text.length < 5_000; node = walker.nextNode())
    text += node.nodeValue
  return text
}

const drawsAddress = (): boolean =>
  deepAll(document, 'span, div, p, input[readonly]').some(
    (element) =>
      element.childElementCount === 0 &&
      isDrawnAddress(element instanceof HTMLInputElement ? element.value : (element.textContent ?? '')) &&
      isVisible(element),
  )

function marks(formActions: readonly string[]): string[] {
  const seen: readonly (readonly [string, boolean])[] = [
    ['PASSED_THROUGH_MICROSOFT_PAGE', isPassedThroughMicrosoft()],
    ['DRAWN_ADDRESS', drawsAddress()],
    ['COPIED_BY_TOOL', isCopiedByTool(comments())],
    ['ADDRESS_IN_FRAGMENT', carriesAddress(location.hash)],
    [
      'POSTED_TO_SCRIPT',
      formActions.some((action) => isDropScript(URL.parse(action, document.baseURI)?.pathname ?? '')),
    ],
    ['NO_CONTEXT_MENU', document.body?.hasAttribute('oncontextmenu') ?? false],
  ]
  return [...marksIn(ownScripts()), ...seen.filter(([, isSeen]) => isSeen).map(([mark]) => mark)]
}

/** Collects the features of a page that judge it. */
export function collectFeatures(): PageFeatures {
  const actions = attributes('form', 'action')
  const pictures = [
    ...deepAll(document, 'img')
      .filter((picture) => !isOffer(picture))
      .map((picture) => picture.getAttribute('src') ?? ''),
    ...attributes('link[rel~="stylesheet"], link[rel~="icon"]', 'href'),
  ].filter((address) => !address.startsWith('data:') && !offerAddress.test(address))
  return {
    title: tidy(document.title),
    headings: several(
      deepAll(document, 'h1, h2, [role="heading"]')
        .filter((one) => isVisible(one) && !isOffer(one))
        .map((one) => tidy(one.textContent)),
    ),
    text: (document.body?.innerText ?? '').replace(/\s+/g, ' ').toLowerCase().slice(0, 4_000),
    fieldNames: several(
      deepAll(document, 'input').flatMap((field) => [tidy(field.getAttribute('name')), tidy(field.id)]),
    ),
    pictureHosts: several(pictures.map(addressHost)),
    scriptHosts: several(attributes('script[src]', 'src').map(addressHost)),
    linkHosts: several(attributes('a[href]', 'href').map(addressHost)),
    formHosts: several(actions.map(addressHost)),
    pictureWords: pictureWords(),
    marks: several(marks(actions)),
  }
}
