//! The paths that a source file names, read from its tokens. It knows the language's words for modules and imports, not
//! which paths are lawful.

use proc_macro2::{Delimiter, Group, Ident, LexError, TokenStream, TokenTree};

/// The paths that a file names, each from its root (a crate's name or `crate`).
#[derive(Default)]
pub(crate) struct Names {
    paths: Vec<Vec<String>>,
    /// Modules that the file declares: they hide crates of the same name.
    modules: Vec<String>,
}

impl Names {
    /// Reads the source of the module `home`, which is given from the crate's root.
    pub(crate) fn of(home: &[String], source: &str) -> Result<Self, LexError> {
        let mut names = Self::default();
        names.read(source.parse()?, home, &[], false);
        Ok(names)
    }

    /// The paths that do not lead into a module which the file itself declares.
    pub(crate) fn outward(&self) -> impl Iterator<Item = &Vec<String>> {
        self.paths.iter().filter(|path| !self.modules.contains(&path[0]))
    }

    /// The paths that lead into a module which the file itself declares, each from that module.
    pub(crate) fn inward(&self) -> impl Iterator<Item = &Vec<String>> {
        self.paths.iter().filter(|path| self.modules.contains(&path[0]))
    }

    /// `prefix` is the path before the braces of an import group. A lone word counts as a path in an import only.
    fn read(&mut self, tokens: TokenStream, home: &[String], prefix: &[String], is_import: bool) {
        let mut tokens = without_tests(tokens);
        tokens.reverse();
        let mut is_import = is_import;
        // After `>::`, the path belongs to a type, and after `as` the word is a new name.
        let (mut is_rest, mut is_new_name) = (false, false);
        while let Some(token) = tokens.pop() {
            match token {
                TokenTree::Ident(word) => {
                    let mut word = plain(&word);
                    match word.as_str() {
                        "use" | "extern" => is_import = true,
                        "as" => is_new_name = is_import,
                        "mod" => self.module(&mut tokens, home),
                        "pub" => skip_visibility(&mut tokens),
                        _ => {
                            let mut path = prefix.to_vec();
                            loop {
                                path.push(std::mem::take(&mut word));
                                if !take_colons(&mut tokens) {
                                    break;
                                }
                                match tokens.pop() {
                                    Some(TokenTree::Ident(next)) => word = plain(&next),
                                    Some(TokenTree::Punct(star)) if star.as_char() == '*' => {
                                        word = "*".into();
                                    }
                                    Some(TokenTree::Group(group)) => {
                                        let inner = group.stream();
                                        self.read(inner, home, &path, true);
                                        path.clear();
                                        break;
                                    }
                                    Some(other) => {
                                        tokens.push(other);
                                        break;
                                    }
                                    None => break,
                                }
                            }
                            let counts = (path.len() > 1 || is_import) && !is_rest && !is_new_name;
                            if counts && !path.is_empty() {
                                self.paths.push(rooted(path, home));
                            }
                            (is_rest, is_new_name) = (false, false);
                        }
                    }
                }
                TokenTree::Group(group) => {
                    let is_list = is_import && !prefix.is_empty();
                    let prefix = if is_list { prefix } else { &[] };
                    // `use {a::b, c};` has its braces first.
                    let is_import = is_import && group.delimiter() == Delimiter::Brace;
                    self.read(group.stream(), home, prefix, is_import);
                }
                TokenTree::Punct(punct) => match punct.as_char() {
                    ';' => is_import = false,
                    '>' => is_rest = take_colons(&mut tokens),
                    _ => {}
                },
                TokenTree::Literal(_) => {}
            }
        }
    }

    /// What follows the word `mod`: a name, and for a module written in place its body.
    fn module(&mut self, tokens: &mut Vec<TokenTree>, home: &[String]) {
        let Some(TokenTree::Ident(name)) = tokens.pop() else {
            return;
        };
        let name = plain(&name);
        match tokens.pop() {
            Some(TokenTree::Group(body)) => {
                let mut home = home.to_vec();
                home.push(name);
                self.read(body.stream(), &home, &[], false);
            }
            _ => self.modules.push(name),
        }
    }
}

/// The path with `self` and `super` resolved from the module that it stands in.
fn rooted(path: Vec<String>, home: &[String]) -> Vec<String> {
    let mut place = match path[0].as_str() {
        "self" | "super" => std::iter::once("crate".to_owned()).chain(home.iter().cloned()).collect(),
        _ => Vec::new(),
    };
    for word in path {
        match word.as_str() {
            "self" => {}
            "super" => {
                place.pop();
            }
            _ => place.push(word),
        }
    }
    place
}

/// The tokens without items under `#[cfg(test)]`.
fn without_tests(tokens: TokenStream) -> Vec<TokenTree> {
    let mut kept: Vec<TokenTree> = Vec::new();
    let mut is_test = false;
    for token in tokens {
        let is_attribute = kept.last().is_some_and(|last| is_punct(last, '#'));
        match &token {
            TokenTree::Group(group) if is_attribute && is_cfg_test(group) => {
                kept.pop();
                is_test = true;
                continue;
            }
            // Further attributes of the item that goes away.
            _ if is_test => {
                let is_body = matches!(&token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace);
                is_test = !(is_body || is_punct(&token, ';'));
                continue;
            }
            _ => {}
        }
        kept.push(token);
    }
    kept
}

fn is_cfg_test(attribute: &Group) -> bool {
    attribute.stream().to_string().replace(' ', "") == "cfg(test)"
}

/// Takes `::` off the tokens that are to come, if it is there.
fn take_colons(tokens: &mut Vec<TokenTree>) -> bool {
    let is_there = matches!(tokens.as_slice(), [.., second, first] if is_punct(first, ':') && is_punct(second, ':'));
    if is_there {
        tokens.truncate(tokens.len() - 2);
    }
    is_there
}

/// The `(in crate::a)` of a visibility names no dependency.
fn skip_visibility(tokens: &mut Vec<TokenTree>) {
    if matches!(tokens.last(), Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Parenthesis) {
        tokens.pop();
    }
}

fn is_punct(token: &TokenTree, char: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == char)
}

fn plain(word: &Ident) -> String {
    word.to_string().trim_start_matches("r#").to_owned()
}
