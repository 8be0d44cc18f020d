/** Property tests draw the same cases in every run, so that a failure is there for everybody. */
import fc from "fast-check";

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: 20261115 });
