// Shows what the chat shows now: asks for the page again and again, and takes what is new.
const main = document.querySelector('main');

async function renew() {
  const answer = await fetch(location.href).catch(() => undefined);
  if (answer?.ok) {
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    const text = page.querySelector('main').innerHTML;
    if (text !== main.innerHTML) {
      main.innerHTML = text;
      scrollTo(0, document.body.scrollHeight);
    }
  }
  setTimeout(renew, 500);
}

void renew();
