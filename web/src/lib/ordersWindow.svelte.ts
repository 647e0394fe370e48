// Whose standing orders are open: they stay so while decisions come and go.
export const ordersWindow: { seat: number | null } = $state({ seat: null })
