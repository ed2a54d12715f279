/** What tests compare the engine with. */
package dev.anemone.ndp.testing;
