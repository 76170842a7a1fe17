import Theme from "vitepress/theme";
import "planloom/element";
import "planloom/element.css";

export default Theme;
