export async function drawn() {}
