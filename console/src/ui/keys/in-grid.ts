import { createContext, useContext } from 'react'

/** True inside a list row. Rows take the focus as a whole. */
export const InGrid = createContext(false)

/** Returns the `tabIndex` of a link: -1 inside a list row, otherwise undefined. */
export const useLinkTabIndex = (): -1 | undefined => (useContext(InGrid) ? -1 : undefined)
