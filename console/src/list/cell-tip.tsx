import { useLayoutEffect, useState } from 'react'

/** Returns the element of a cell whose content may be truncated. */
const textOf = (cell: HTMLElement): HTMLElement => cell.querySelector<HTMLElement>('.named-text') ?? cell

const isCutOff = (text: HTMLElement): boolean => text.scrollWidth > text.clientWidth

/** Adds a tooltip to a cell whose content is truncated. */
export function titleIfCutOff({ currentTarget: cell }: React.PointerEvent<HTMLElement>): void {
  const text = textOf(cell)
  if (isCutOff(text)) cell.title = text.innerText
}

interface Tip {
  readonly text: string
  readonly top: number
  readonly left: number
}

/** Shows the full content of the active cell if it is truncated. */
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
