import { Fragment } from 'react'

/** An address or URL that wraps before punctuation rather than within words. */
export function Breakable({ text }: { text: string }) {
  return (
    <bdi>
      {text.split(/(?=[@/?&])/).map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other name than their place
        <Fragment key={index}>
          {index > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
    </bdi>
  )
}
