(() => {
  const data = JSON.parse(document.getElementById('data').textContent)
  const items = [...document.querySelectorAll('#decisions > li')]
  const cells = [...document.querySelectorAll('.board td[data-name]')]
  const marks = ['■', '●', '▲', '◆']
  const caption = document.getElementById('state')
  const count = document.getElementById('count')
  const none = document.getElementById('none')
  const filters = [...document.querySelectorAll('.filters select')]

  function show(item) {
    const state = data.states[item.dataset.move]
    for (const other of items) {
      other.classList.toggle('on', other === item)
      other.querySelector('button').setAttribute('aria-pressed', String(other === item))
    }
    caption.textContent = state.text
    cells.forEach((cell, index) => {
      const code = state.fields[index]
      const held = '1234'.indexOf(code)
      const owned = 'abcd'.indexOf(code)
      const developed = 'ABCD'.indexOf(code)
      const seat = Math.max(held, owned, developed)
      cell.className = seat >= 0 ? `s${seat} ${developed >= 0 ? 'dev' : 'own'}` : code === 'x' ? 'gone' : code === 'o' ? 'up' : ''
      cell.querySelector('b').textContent = seat >= 0 ? marks[seat] : ''
      cell.title = cell.dataset.name + (seat >= 0 ? ` – ${data.players[seat]}` : '')
    })
  }

  function filter() {
    const wanted = Object.fromEntries(filters.map((select) => [select.name, select.value]))
    let shown = 0
    for (const item of items) {
      const fits = Number(item.dataset.loss) >= Number(wanted.loss || 0) && ['seat', 'kind', 'era'].every((key) => !wanted[key] || item.dataset[key] === wanted[key])
      item.hidden = !fits
      if (fits) shown += 1
    }
    count.textContent = data.count.replace('{shown}', shown)
    none.hidden = shown > 0
  }

  for (const item of items) item.querySelector('button').addEventListener('click', () => show(item))
  for (const select of filters) select.addEventListener('change', filter)
  document.querySelector('.filters').hidden = false
  document.getElementById('place').hidden = false
  for (const button of document.querySelectorAll('#decisions button')) button.hidden = false
  filter()
  if (items.length) show(items[0])
})()
