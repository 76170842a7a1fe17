export async function sites() {}
