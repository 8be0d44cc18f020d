/** Style sheets are bundled; a CSS module is the names of its classes. */
declare module "*.css";
declare module "*.module.css" {
  const classes: Readonly<Record<string, string>>;
  export default classes;
}
