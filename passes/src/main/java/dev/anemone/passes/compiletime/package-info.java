/**
 * The passes that come with Anemone. None of them replaces a property that is already set, so that
 * a front end, a user's own pass, or an earlier pass of a policy has the first word.
 */
package dev.anemone.passes.compiletime;
