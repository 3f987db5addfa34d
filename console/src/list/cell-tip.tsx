import { useLayoutEffect, useState } from 'react'

/** The element of a cell whose content can be cut off. */
const textOf = (cell: HTMLElement): HTMLElement => cell.querySelector<HTMLElement>('.named-text') ?? cell

const isCutOff = (text: HTMLElement): boolean => text.scrollWidth > text.clientWidth

/** Sets the title of a cell whose content is cut off, for those who point at it. */
export function titleIfCutOff({ currentTarget: cell }: React.PointerEvent<HTMLElement>): void {
  const text = textOf(cell)
  if (isCutOff(text)) cell.title = text.innerText
}

interface Tip {
  readonly text: string
  readonly top: number
  readonly left: number
}

/** Shows the whole content of the cell that the keys are at, if it is cut off. */
export function CellTip({ id, cellId }: { id: string; cellId: string | undefined }) {
  const [tip, setTip] = useState<Tip>()
  useLayoutEffect(() => {
    const cell = cellId === undefined ? null : document.getElementById(cellId)
    cell?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    const text = cell && textOf(cell)
    if (!cell || !text || !isCutOff(text)) return setTip(undefined)
    const { bottom, left } = cell.getBoundingClientRect()
    setTip({ text: text.innerText, top: bottom, left })
  }, [cellId])
  if (!tip) return null
  return (
    <div id={id} role="tooltip" className="cell-tip" style={{ top: tip.top, left: tip.left }}>
      {tip.text}
    </div>
  )
}
