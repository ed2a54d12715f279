/** What the tests of all modules share. */
package dev.anemone.testing;

