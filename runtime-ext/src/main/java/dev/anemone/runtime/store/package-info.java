/** Where blocks lie between the stages: files, memory. */
package dev.anemone.runtime.store;
